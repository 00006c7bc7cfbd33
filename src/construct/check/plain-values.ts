import { isPlainObject } from "../../json/is-object";
import { mayBeNumberToken, mayBeToken } from "../token/may-be-token";

/**
 * Whether Terraform gets values as they are written: no part of them is a token, misuses one, or is read
 * by Terraform as an expression, an escape or a comment. False if this is not certain.
 */
export function isPlain(value: unknown): boolean {
  switch (typeof value) {
    case "string":
      return !mayBeToken(value);
    case "number":
      return !mayBeNumberToken(value);
    case "object":
      if (value === null) return true;
      return Array.isArray(value) ? value.every(isPlain) : isPlainMap(value);
    default:
      return true;
  }
}

function isPlainMap(map: object): boolean {
  if (!isPlainObject(map) || "resolve" in map) return false;
  for (const key in map) {
    if (key === "//" || mayBeToken(key) || !isPlain(map[key])) return false;
  }
  return true;
}

import { isObject } from "../json/is-object";
import { problemRule } from "./value-rule";

const must = "must be a JSON object as a string";

/** A string must contain a JSON object (RFC 8259). */
export const jsonObjectRule = problemRule(must, (text) => (isJsonObject(text) ? undefined : must));

function isJsonObject(value: string): boolean {
  try {
    return isObject(JSON.parse(value));
  } catch {
    return false;
  }
}

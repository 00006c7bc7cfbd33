import { isObject, type Properties as JsonObject } from "../../../json/is-object";

export type { JsonObject };

/** Parses untrusted JSON; undefined if it is not an object, or nested more than 100 levels deep. */
export function readJsonObject(bytes: Uint8Array): JsonObject | undefined {
  if (isDeep(bytes)) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const maxDepth = 100;
const [quote, backslash] = [0x22, 0x5c];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** `JSON.parse` reads any depth, but writing such a value again overflows the stack. */
function isDeep(bytes: Uint8Array): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (isInString) {
      if (byte === backslash) at++;
      else if (byte === quote) isInString = false;
    } else if (byte === quote) isInString = true;
    else if (byte === openBrace || byte === openBracket) depth++;
    else if (byte === closeBrace || byte === closeBracket) depth--;
    if (depth > maxDepth) return true;
  }
  return false;
}

/** The members of an object that are strings; undefined if the value is not an object. */
export function readStrings(value: unknown): Readonly<Record<string, string>> | undefined {
  if (!isObject(value)) return undefined;
  const strings = Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(strings);
}

import { JsonError } from "../../../json/json-error";
import { parseJson } from "../../../json/parse-json";
import { isObject, type Properties as JsonObject } from "../../../json/is-object";

export type { JsonObject };

const depthMax = 100;

/** Parses a document of a registry or a credential store; undefined if it is not a JSON object. */
export function readJsonObject(bytes: Uint8Array): JsonObject | undefined {
  try {
    const value = parseJson(bytes, { depthMax });
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

/** The members of an object that are strings; undefined if the value is not an object. */
export function readStrings(value: unknown): Readonly<Record<string, string>> | undefined {
  if (!isObject(value)) return undefined;
  const strings = Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(strings);
}

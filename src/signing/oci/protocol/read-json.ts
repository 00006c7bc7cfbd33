import { isObject, type Properties as JsonObject } from "../../../json/plain-json";

export type { JsonObject };

export { readJsonObject } from "../../../json/parse-json";

/** The members of an object that are strings; undefined if the value is not an object. */
export function readStrings(value: unknown): Readonly<Record<string, string>> | undefined {
  if (!isObject(value)) return undefined;
  const strings = Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(strings);
}

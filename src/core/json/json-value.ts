import { isObject } from "./plain-json";

/** A value that JSON can represent. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object. `parseJson` creates objects without a prototype. */
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return isObject(value);
}

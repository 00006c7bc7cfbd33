import { isObject } from "./is-object";

/** What JSON text says. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** Without a prototype when it comes from `parseJson`. */
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return isObject(value);
}

import { isObject } from "../../../json/is-object";

/**
 * A JSON object in Terraform's output. It is read leniently, as the platform does: missing values are
 * empty, and unknown ones are ignored.
 */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The value if it is an object, otherwise an empty object. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? { ...value } : {};
}

/** The value if it is an array, otherwise an empty array. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A string, number or boolean as a string; the empty string for everything else. */
export function stringOf(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

/** Parses JSON; undefined if it is invalid. */
export function parsedJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

import { type Properties, propertiesOf } from "../../../core/json/plain-json";

// Terraform's output is read leniently, as the platform does: missing values are empty, and unknown
// ones are ignored.

export const objectOf = propertiesOf;

/** Returns the value if it is an array, otherwise an empty array. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns a string, number or boolean as a string; the empty string for everything else. */
export function stringOf(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

/** Returns the values of an object as strings. */
export const stringsOf = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(objectOf(value)).map(([key, each]) => [key, stringOf(each)]));

/** Returns the bodies of blocks, which are an object or a list of objects in JSON syntax. */
export const bodiesOf = (value: unknown): readonly Properties[] =>
  (Array.isArray(value) ? listOf(value) : [value]).map(objectOf);

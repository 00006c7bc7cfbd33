import { isRecord, parsedJson } from "../json/plain-json";
import { parseDuration } from "./duration";

/** Compares two strings as JSON, for `semanticEquals`: whitespace and the order of keys do not matter. */
export function sameJson(one: string, other: string): boolean {
  // Equal as doubles does not mean equal for numbers of more than 15 digits.
  if (/\d{16}/.test(one + other)) return false;
  const value = parsedJson(one);
  return value !== undefined && isSame(value, parsedJson(other));
}

function isSame(one: unknown, other: unknown): boolean {
  if (!isRecord(one) || !isRecord(other)) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
  );
}

/** Compares the lengths of two durations, for `semanticEquals`: `60s` and `1m` are equal. */
export function sameDuration(one: string, other: string): boolean {
  const ms = parseDuration(one);
  return ms !== undefined && ms === parseDuration(other);
}

/**
 * Compares two URLs, for `semanticEquals`, as parsed URLs: the case of the host, a default port and an empty
 * path do not matter.
 */
export function sameUrl(one: string, other: string): boolean {
  if (!URL.canParse(one) || !URL.canParse(other)) return false;
  return new URL(one).href === new URL(other).href;
}

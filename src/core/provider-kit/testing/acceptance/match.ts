import { isObject, isRecord } from "../../../json/plain-json";
import type { Expected } from "./step";

/**
 * Compares a value with the expected one.
 *
 * @param at the name of the value, for messages
 * @returns a line for each difference; empty when the value is right
 */
export function mismatches(expected: Expected, actual: unknown, at: string): readonly string[] {
  const differs = (): readonly string[] => [
    `${at}: ${shown(actual)} instead of ${shown(expected)}`,
  ];
  if (isPredicate(expected)) {
    return expected(actual) === true ? [] : [`${at}: ${shown(actual)} is not accepted`];
  }
  if (expected instanceof RegExp) {
    return typeof actual === "string" && actual.search(expected) >= 0 ? [] : differs();
  }
  if (isMatcher(expected)) return expected.asymmetricMatch(actual) === true ? [] : differs();
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return differs();
    return expected.flatMap((each, index) => mismatches(each, actual[index], `${at}[${index}]`));
  }
  if (isObject(expected)) {
    if (!isObject(actual)) return differs();
    return Object.entries(expected).flatMap(([name, each]) =>
      mismatches(each, actual[name], `${at}.${name}`),
    );
  }
  return Object.is(expected ?? null, actual ?? null) ? [] : differs();
}

/** Returns the names of members whose values differ, in both directions. */
export function differingNames(
  left: Readonly<Record<string, unknown>>,
  right: Readonly<Record<string, unknown>>,
): readonly string[] {
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return names.filter((name) => canonical(left[name]) !== canonical(right[name]));
}

/** Writes JSON with sorted names, in which null and absent members are equal. */
export function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

const maxShown = 300;

/** Formats a value for a message, shortened. */
export function shown(value: unknown): string {
  if (value instanceof RegExp) return String(value);
  if (isMatcher(value)) return String(value);
  const text =
    value === undefined
      ? "nothing"
      : JSON.stringify(value, (_, inner: unknown) =>
          typeof inner === "bigint" ? String(inner) : inner,
        );
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}

interface Matcher {
  asymmetricMatch(value: unknown): unknown;
  toString(): string;
}

const isPredicate = (value: unknown): value is (actual: unknown) => unknown =>
  typeof value === "function";

const isMatcher = (value: unknown): value is Matcher =>
  isRecord(value) && typeof value["asymmetricMatch"] === "function";

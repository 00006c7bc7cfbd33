import { isRecord } from "../../json/plain-json";
import type { Path } from "../../schema/finding";
import { UNKNOWN } from "../../schema/unknown";
import type { CtyValue } from "./value";

/** Checks whether a value is unknown or contains unknown values. */
export function containsUnknown(value: unknown): boolean {
  if (value === UNKNOWN) return true;
  return isRecord(value) && Object.values(value).some(containsUnknown);
}

/** Returns the path of the first unknown value; undefined when everything is known. */
export function unknownPath(value: unknown, path: Path = []): Path | undefined {
  if (value === UNKNOWN) return path;
  if (!isRecord(value)) return undefined;
  return first(Object.entries(value), ([key, inner]) =>
    unknownPath(inner, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

/** Replaces every unknown value by null, so that the value can be stored in a state. */
export function withoutUnknown(value: CtyValue): CtyValue {
  if (value === UNKNOWN) return null;
  if (Array.isArray(value)) return (value as readonly CtyValue[]).map(withoutUnknown);
  if (!containsUnknown(value)) return value;
  const known = Object.create(Object.getPrototypeOf(value) as object | null) as Record<
    string,
    CtyValue
  >;
  for (const [name, inner] of Object.entries(value as Readonly<Record<string, CtyValue>>)) {
    known[name] = withoutUnknown(inner);
  }
  return known;
}

/** Returns the first result that is not undefined. */
export function first<T, R>(items: Iterable<T>, visit: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const result = visit(item);
    if (result !== undefined) return result;
  }
  return undefined;
}

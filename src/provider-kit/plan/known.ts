import { formatPath } from "../../schema/finding";
import type { TypedValue } from "../../schema/type";
import type { Unknown } from "../../schema/unknown";
import { unknownPath } from "./conformity";

/** A type without unknown values, at any depth. */
export type Known<T> = T extends Unknown
  ? never
  : T extends TypedValue
    ? T
    : T extends readonly (infer Element)[]
      ? readonly Known<Element>[]
      : T extends object
        ? { readonly [K in keyof T]: Known<T[K]> }
        : T;

/**
 * Returns the same values, typed as known. A plan becomes a state when the handler has added all
 * computed values.
 *
 * @example known({ ...plan, id })
 * @throws Error when a value is still unknown, which is a bug in the handler
 */
export function known<T>(values: T): Known<T> {
  const path = unknownPath(values);
  if (path !== undefined) throw new Error(`${formatPath(path)} was left unknown`);
  return values as Known<T>;
}

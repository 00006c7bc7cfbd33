import { formatPath } from "../../schema/finding";
import type { Unknown } from "../../schema/unknown";
import { unknownPath } from "./conformity";

/** A type without what stands for unknown values, at any depth. */
export type Known<T> = T extends Unknown
  ? never
  : T extends readonly (infer Element)[]
    ? readonly Known<Element>[]
    : T extends object
      ? { readonly [K in keyof T]: Known<T[K]> }
      : T;

/**
 * The same values, of which none is unknown any more: a plan to which a handler has added all that it
 * makes is a state.
 *
 * @example known({ ...plan, id })
 * @throws Error when one is left, which is a bug of the handler
 */
export function known<T>(values: T): Known<T> {
  const path = unknownPath(values);
  if (path !== undefined) throw new Error(`${formatPath(path)} was left unknown`);
  return values as Known<T>;
}

import { isRecord, parsedJson } from "../json/plain-json";
import type { Attribute, Attributes, Block, Blocks, Fields, Presence } from "./attribute";
import { parseDuration } from "./duration";
import type { BlocksOf, Bounded, Filled } from "./infer";
import type {
  DynamicType,
  ListType,
  MapType,
  ObjectType,
  SetType,
  TypedValue,
  ValueOf,
  Unknown,
} from "./type";

/**
 * The values that a `plan` handler sets, known or unknown, at any depth. Other values are planned by the
 * declaration.
 *
 * - The members of objects and blocks, and the elements of maps, are named; the others can be left out.
 * - An array has as many elements as the configuration; `undefined` leaves an element to the declaration.
 *   The elements of a set are in the order of `drafted`.
 */
export type PlanModificationOf<F extends Fields> = ModifiedFields<F["attributes"], BlocksOf<F>>;

type ModifiedFields<A extends Attributes, B extends Blocks> = {
  readonly [K in keyof A]?: ModifiedAttribute<A[K]> | undefined;
} & { readonly [K in keyof B]?: ModifiedBlock<B[K]> | undefined };

type ModifiedAttribute<A> =
  A extends Attribute<Presence, infer T>
    ? Modified<T> | Unknown | (A extends { readonly neverNull: true } ? never : null)
    : never;

type Modified<T> =
  T extends ObjectType<infer A>
    ? ModifiedFields<A, Record<never, never>>
    : T extends ListType<infer E> | SetType<infer E>
      ? readonly ModifiedElement<E>[]
      : T extends MapType<infer E>
        ? Readonly<Record<string, ModifiedElement<E>>>
        : T extends DynamicType
          ? TypedValue
          : ValueOf<T>;

/** An object can be planned by the declaration. Any other element is set as a whole. */
type ModifiedElement<E> = E extends ObjectType
  ? Modified<E> | Unknown | undefined
  : Filled<E, "config"> | Unknown;

type ModifiedBlock<B> =
  B extends Block<infer N, infer A, infer C>
    ? | (N extends "single"
          ? ModifiedFields<A, Bounded<C>> | null
          : readonly (ModifiedFields<A, Bounded<C>> | undefined)[])
      | Unknown
    : never;

/** Compares two strings as JSON, for `semanticEquals`: whitespace and the order of keys do not matter. */
export function sameJson(one: string, other: string): boolean {
  // Numbers of more than 15 digits can be equal as doubles without being equal.
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

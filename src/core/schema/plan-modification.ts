import type { Attribute, Attributes, Block, Blocks, Fields, Presence } from "./attribute";
import type { Bounded, BlocksOf, Filled } from "./infer";
import type {
  DynamicType,
  ListType,
  MapType,
  ObjectType,
  SetType,
  TypedValue,
  ValueOf,
} from "./type";
import type { Unknown } from "./unknown";

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

/** An object can be left to the declaration. Any other element is set as a whole. */
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

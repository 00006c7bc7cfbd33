import type {
  Attribute,
  Attributes,
  Block,
  Blocks,
  DynamicType,
  Fields,
  Flat,
  ListType,
  MapType,
  NestedArgs,
  Nesting,
  NullOfElement,
  ObjectType,
  Presence,
  SetType,
  ValueOf,
} from "./declared-types";
import type { TypedValue, Unknown } from "./type";

/**
 * The blocks of a declaration; empty if its blocks are not known, because the type would recurse infinitely.
 */
export type BlocksOf<F> = F extends { readonly blocks?: infer B } ? Bounded<NonNullable<B>> : never;

/** Blocks whose names are known. */
export type Bounded<B> = string extends keyof B ? Record<never, never> : B;

type MinOf<B> = B extends { readonly min?: infer Min } ? Exclude<Min, undefined> : 0;

type IsRequired<B> = 0 extends MinOf<B> ? false : true;

/** True for a block that occurs at most once, so that its element is written without an array. */
type IsSingle<B> =
  B extends Block<infer N>
    ? N extends "single"
      ? true
      : B extends { readonly max?: infer Max }
        ? [Exclude<Max, undefined>] extends [1]
          ? true
          : false
        : false
    : false;

/** The arguments that users write: required values, and optional ones that may be left out. */
export type ArgsOf<F extends Fields> = Flat<
  NestedArgs<F["attributes"]> & {
    readonly [
      K in keyof BlocksOf<F> as IsRequired<BlocksOf<F>[K]> extends true ? K : never
    ]: BlockArgs<BlocksOf<F>[K]>;
  } & {
    readonly [K in keyof BlocksOf<F> as IsRequired<BlocksOf<F>[K]> extends true ? never : K]?:
      | BlockArgs<BlocksOf<F>[K]>
      | undefined;
  }
>;

type BlockArgs<B> =
  B extends Block<Nesting, infer A, infer C>
    ? IsSingle<B> extends true
      ? ArgsOf<Fields<A, C>>
      : readonly ArgsOf<Fields<A, C>>[]
    : never;

type Phase = "config" | "given" | "plan" | "state";

/**
 * The places where a value can be unknown: anywhere in a configuration, and where the provider sets it in a
 * plan.
 */
type Hole<P extends Presence, When extends Phase> = When extends "config"
  ? Unknown
  : When extends "plan"
    ? P extends "computed" | "optionalComputed"
      ? Unknown
      : never
    : never;

/** The configuration sets each element of a collection as a whole. */
type ElementHole<When extends Phase> = When extends "config" ? Unknown : never;

/** A value of a type, with null for nested values that are not set, and unknown values. */
export type Filled<T, When extends Phase> =
  T extends ObjectType<infer A>
    ? Flat<{ readonly [K in keyof A]: AttributeIn<A[K], When> }>
    : T extends ListType<infer E> | SetType<infer E>
      ? readonly (Filled<E, When> | NullOfElement<E> | ElementHole<When>)[]
      : T extends MapType<infer E>
        ? Readonly<Record<string, Filled<E, When> | NullOfElement<E> | ElementHole<When>>>
        : T extends DynamicType
          ? TypedValue
          : ValueOf<T>;

type AttributeIn<A, When extends Phase> =
  A extends Attribute<infer P, infer T, infer WriteOnly>
    ? [WriteOnly, When] extends [true, "plan" | "state"]
      ? null
      : Filled<T, When> | Hole<P, When> | (P extends "required" ? never : NullOf<A, When>)
    : never;

/** Terraform has null for a computed attribute in a configuration, even if the attribute is never null. */
type NullOf<A, When extends Phase> = [A, When] extends [
  { readonly neverNull: true },
  "plan" | "state",
]
  ? never
  : null;

type BlockIn<B, When extends Phase> =
  B extends Block<infer N, infer A, infer C>
    ? | (N extends "single" ? In<A, Bounded<C>, When> | null : readonly In<A, Bounded<C>, When>[])
      | ElementHole<When>
    : never;

type In<A extends Attributes, B extends Blocks, When extends Phase> = Flat<
  { readonly [K in keyof A]: AttributeIn<A[K], When> } & {
    readonly [K in keyof B]: BlockIn<B[K], When>;
  }
>;

/** The configuration during the plan: every value can be absent (null) or unknown. */
export type ConfigOf<F extends Fields> = In<F["attributes"], BlocksOf<F>, "config">;

/**
 * The configuration during apply: everything is known, and values that it does not set are null. Only here do
 * write-only attributes have their values.
 */
export type GivenOf<F extends Fields> = In<F["attributes"], BlocksOf<F>, "given">;

/**
 * The plan during apply. Values from the configuration are known. Values from the provider are known if they
 * were kept, and unknown otherwise.
 */
export type PlanOf<F extends Fields> = In<F["attributes"], BlocksOf<F>, "plan">;

/** The state: everything is known, optional and computed values can be null. */
export type StateOf<F extends Fields> = In<F["attributes"], BlocksOf<F>, "state">;

import type { Attribute, Attributes, Block, Blocks, Fields, Presence } from "./attribute";
import type { ListType, MapType, ObjectType, SetType, Type, ValueOf } from "./type";
import type { Unknown } from "./unknown";

type Flat<T> = { [K in keyof T]: T[K] };

type PresenceOf<A> = A extends Attribute<infer P> ? P : never;
type TypeOf<A> = A extends Attribute<Presence, infer T> ? T : never;

type NamesOf<A extends Attributes, P extends Presence> = {
  [K in keyof A]: PresenceOf<A[K]> extends P ? K : never;
}[keyof A];

/** The blocks of a declaration; none of one whose blocks are not known, which would have no end. */
type BlocksOf<F> = F extends { readonly blocks?: infer B } ? Bounded<NonNullable<B>> : never;

type Bounded<B> = string extends keyof B ? Record<never, never> : B;

type IsRequired<B> = B extends { readonly min: number } ? true : false;

/** The JavaScript value of nested attributes, as a user writes it. */
export type NestedArgs<A extends Attributes> = Flat<
  {
    readonly [K in keyof A as K extends NamesOf<A, "required"> ? K : never]: ValueOf<TypeOf<A[K]>>;
  } & {
    readonly [K in keyof A as K extends NamesOf<A, "optional" | "resolved"> ? K : never]?:
      ValueOf<TypeOf<A[K]>> | undefined;
  }
>;

/** What a user gives a declaration: required values, and optional ones that may be left out. */
export type ArgsOf<F extends Fields> = Flat<
  NestedArgs<F["attributes"]> & {
    readonly [
      K in keyof BlocksOf<F> as IsRequired<BlocksOf<F>[K]> extends true ? K : never
    ]: BlockArgs<BlocksOf<F>[K]>;
  } & {
    readonly [K in keyof BlocksOf<F> as IsRequired<BlocksOf<F>[K]> extends true ? never : K]?:
      BlockArgs<BlocksOf<F>[K]> | undefined;
  }
>;

type BlockArgs<B> =
  B extends Block<infer N, infer A, infer C>
    ? N extends "single"
      ? ArgsOf<Fields<A, C>>
      : readonly ArgsOf<Fields<A, C>>[]
    : never;

/** What stands in for a value that nobody gave, or that is not known yet. */
type Filled<T, Hole> =
  T extends ObjectType<infer A>
    ? Flat<{ readonly [K in keyof A]: AttributeIn<A[K], Hole> }>
    : T extends ListType<infer E> | SetType<infer E>
      ? readonly (Filled<E, Hole> | Exclude<Hole, null>)[]
      : T extends MapType<infer E>
        ? Readonly<Record<string, Filled<E, Hole> | Exclude<Hole, null>>>
        : ValueOf<T>;

type AttributeIn<A, Hole> =
  A extends Attribute<infer P, infer T>
    ? P extends "required"
      ? Filled<T, Hole> | Exclude<Hole, null>
      : Filled<T, Hole> | Hole | null
    : never;

type BlockIn<B, Phase extends "config" | "plan" | "state"> =
  B extends Block<infer N, infer A, infer C>
    ? N extends "single"
      ? In<A, Bounded<C>, Phase> | null | (Phase extends "config" ? Unknown : never)
      : readonly In<A, Bounded<C>, Phase>[] | (Phase extends "config" ? Unknown : never)
    : never;

type In<A extends Attributes, B extends Blocks, Phase extends "config" | "plan" | "state"> = Flat<
  {
    readonly [K in keyof A]: Phase extends "config"
      ? AttributeIn<A[K], Unknown>
      : Phase extends "state"
        ? AttributeIn<A[K], never>
        : PresenceOf<A[K]> extends "required" | "optional"
          ? AttributeIn<A[K], never>
          : AttributeIn<A[K], Unknown>;
  } & { readonly [K in keyof B]: BlockIn<B[K], Phase> }
>;

/** The configuration while planning: every value may be absent (null) or unknown. */
export type ConfigOf<F extends Fields> = In<F["attributes"], BlocksOf<F>, "config">;

/**
 * The plan as it is applied: what the configuration gives is known, what the provider gives is known
 * where it was kept and unknown otherwise.
 */
export type PlanOf<F extends Fields> = In<F["attributes"], BlocksOf<F>, "plan">;

/** The state: everything is known, optional and computed values may be null. */
export type StateOf<F extends Fields> = In<F["attributes"], BlocksOf<F>, "state">;

/** A value of one declared type as it may stand in a plan or a configuration. */
export type Planned<T extends Type> = Filled<T, Unknown> | Unknown | null;

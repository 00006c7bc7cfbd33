import type { IResolvable } from "cdktf";
import type { Attribute, Attributes, Block, Blocks, Fields, Nesting, Type } from "../../schema";

// The types are read from the kinds of declared types, so that declarations of another copy of the kit work as well.

/** What users write for a value of a declared type: the value, or a token for it. */
export type PropOf<T extends Type> = T extends {
  readonly kind: "string";
  readonly values?: readonly (infer Value)[] | undefined;
}
  ? string extends Value
    ? string
    : Value | IResolvable
  : T extends { readonly kind: "decimal" }
    ? string
    : T extends { readonly kind: "number" }
      ? number
      : T extends { readonly kind: "integer" | "int64" }
        ? number | bigint
        : T extends { readonly kind: "bool" }
          ? boolean | IResolvable
          : T extends { readonly kind: "list" | "set"; readonly of: infer Element extends Type }
            ? readonly (PropOf<Element> | NullOfElement<Element>)[] | IResolvable
            : T extends { readonly kind: "map"; readonly of: infer Element extends Type }
              ? Readonly<Record<string, PropOf<Element> | NullOfElement<Element>>> | IResolvable
              : T extends { readonly kind: "object"; readonly fields: Fields<infer A> }
                ? InputsOf<A, NoBlocks> | IResolvable
                : unknown;

type NullOfElement<T> = T extends { readonly nullable: true } ? null : never;

type NoBlocks = Record<never, never>;

type Flat<T> = { [K in keyof T]: T[K] };

/** Blocks whose names are known. Without this, the type would recurse infinitely. */
export type KnownBlocks<B> = string extends keyof B ? NoBlocks : B;

type ElementOf<B> =
  B extends Block<Nesting, infer A, infer C> ? InputsOf<A, KnownBlocks<C>> : never;

/** True for a block that occurs at most once, so that it is written without an array. */
type IsSingle<B> = B extends { readonly nesting: "single" }
  ? true
  : B extends { readonly max?: infer Max }
    ? [Exclude<Max, undefined>] extends [1]
      ? true
      : false
    : false;

type BlockProp<B> = IsSingle<B> extends true ? ElementOf<B> : readonly ElementOf<B>[] | IResolvable;

type MinOf<B> = B extends { readonly min?: infer Min } ? Exclude<Min, undefined> : 0;

type IsRequiredBlock<B> = 0 extends MinOf<B> ? false : true;

type IsGiven<A, P extends Attribute["presence"]> = A extends { readonly presence: infer Own }
  ? Own extends P
    ? true
    : false
  : false;

type TypeOf<A> = A extends { readonly type: infer T extends Type } ? T : never;

/** The properties for declared attributes and blocks. */
export type InputsOf<A extends Attributes, B extends Blocks> = Flat<
  {
    readonly [K in keyof A as IsGiven<A[K], "required"> extends true ? K : never]: PropOf<
      TypeOf<A[K]>
    >;
  } & {
    readonly [
      K in keyof A as IsGiven<A[K], "optional" | "optionalComputed"> extends true ? K : never
    ]?: PropOf<TypeOf<A[K]>> | undefined;
  } & {
    readonly [K in keyof B as IsRequiredBlock<B[K]> extends true ? K : never]: BlockProp<B[K]>;
  } & {
    readonly [K in keyof B as IsRequiredBlock<B[K]> extends true ? never : K]?:
      BlockProp<B[K]> | undefined;
  }
>;

/** A reference to a list of nested values. */
interface ListOutput<Element> extends IResolvable {
  get(index: number): Element;
}

/** What reads a value of a declared type: a token, or an object of tokens for nested values. */
export type OutputOf<T extends Type> = T extends {
  readonly kind: "string";
  readonly values?: readonly (infer Value)[] | undefined;
}
  ? string extends Value
    ? string
    : IResolvable
  : T extends { readonly kind: "decimal" }
    ? string
    : T extends { readonly kind: "number" | "integer" | "int64" }
      ? number
      : T extends { readonly kind: "object"; readonly fields: Fields<infer A> }
        ? NestedOutputs<A, Record<never, never>>
        : T extends { readonly kind: "list"; readonly of: infer Element extends Type }
          ? CollectionOf<Element, "list">
          : T extends { readonly kind: "set"; readonly of: infer Element extends Type }
            ? CollectionOf<Element, "set">
            : T extends { readonly kind: "map"; readonly of: infer Element extends Type }
              ? MapOf<OutputOf<Element>>
              : IResolvable;

type CollectionOf<Element extends Type, Kind> = Element extends {
  readonly kind: "object";
  readonly fields: Fields<infer A>;
}
  ? Kind extends "list"
    ? ListOutput<NestedOutputs<A, Record<never, never>>>
    : IResolvable
  : OutputOf<Element> extends string | number
    ? OutputOf<Element>[]
    : IResolvable;

type MapOf<Element> = Element extends string | number
  ? Readonly<Record<string, Element>>
  : IResolvable;

type BlockOutput<B> =
  B extends Block<infer Nesting, infer A, infer C>
    ? IsSingle<B> extends true
      ? NestedOutputs<A, KnownBlocks<C>>
      : Nesting extends "list"
        ? ListOutput<NestedOutputs<A, KnownBlocks<C>>>
        : IResolvable
    : never;

/** The getters for declared attributes and blocks, except for those with the names of `Taken`. */
export type NestedOutputs<A extends Attributes, B extends Blocks, Taken = never> = {
  readonly [K in keyof A as K extends Taken ? never : K]: OutputOf<TypeOf<A[K]>>;
} & {
  readonly [K in keyof B as K extends Taken ? never : K]: BlockOutput<B[K]>;
};

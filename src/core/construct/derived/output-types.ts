import type { IResolvable } from "cdktf";
import type { Attributes, Block, Blocks, Fields, Type } from "../../schema";
import type { IsSingle, KnownBlocks } from "./props";

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

type TypeOf<A> = A extends { readonly type: infer T extends Type } ? T : never;

/** The getters for declared attributes and blocks, except for those with the names of `Taken`. */
export type NestedOutputs<A extends Attributes, B extends Blocks, Taken = never> = {
  readonly [K in keyof A as K extends Taken ? never : K]: OutputOf<TypeOf<A[K]>>;
} & {
  readonly [K in keyof B as K extends Taken ? never : K]: BlockOutput<B[K]>;
};

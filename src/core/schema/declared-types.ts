// In one file, because types, attributes, blocks and the values of nested attributes refer to each other.

import type { ResourceRule, Text } from "./resource-rule";
import type { ValueRule } from "./value-rule";

declare const valueType: unique symbol;

/** Carries the JavaScript type of a declared type's values; never present at run time. */
export interface Typed<Value> {
  readonly [valueType]?: Value;
}

interface Ruled {
  /** A rule that known values must satisfy, in addition to the type. */
  readonly rule?: ValueRule | undefined;
  /** True for elements that can be null. @default false */
  readonly nullable?: boolean | undefined;
}

/** The type of elements that can be null. */
export type Nullable<T extends Type> = T & { readonly nullable: true };

/** Null, if an element of a type can be null. */
export type NullOfElement<T> = T extends { readonly nullable: true } ? null : never;

type ElementOf<T> = ValueOf<T> | NullOfElement<T>;

/** A string; with `values`, one of them. */
export interface StringType<Value extends string = string> extends Typed<Value>, Ruled {
  readonly kind: "string";
  readonly values?: readonly Value[] | undefined;
  /** What other strings probably mean, for messages. */
  readonly meant?: Readonly<Record<string, Value>> | undefined;
}

/** A number, as the nearest double; with `bits`, as the nearest 32-bit number. */
export interface NumberType extends Typed<number>, Ruled {
  readonly kind: "number";
  readonly bits?: 32 | undefined;
}

/** An integer of any size; a `bigint` beyond the safe integers. With `bits`, a 32-bit integer. */
export interface IntegerType<Value extends number | bigint = number | bigint>
  extends Typed<Value>, Ruled {
  readonly kind: "integer";
  readonly bits?: 32 | undefined;
}

/** A number of any precision, as a string in decimal notation such as `0.1`. */
export interface DecimalType extends Typed<string>, Ruled {
  readonly kind: "decimal";
}

/** A signed 64-bit integer. Always a `bigint`. */
export interface Int64Type extends Typed<bigint>, Ruled {
  readonly kind: "int64";
}

export interface BoolType extends Typed<boolean>, Ruled {
  readonly kind: "bool";
}

/** A value of any type. Users write it plainly. */
export interface DynamicType extends Typed<unknown>, Ruled {
  readonly kind: "dynamic";
}

export interface ListType<Element extends Type = Type>
  extends Typed<readonly ElementOf<Element>[]>, Ruled {
  readonly kind: "list";
  readonly of: Element;
}

/** A collection without order and without duplicates; an array in JavaScript. */
export interface SetType<Element extends Type = Type>
  extends Typed<readonly ElementOf<Element>[]>, Ruled {
  readonly kind: "set";
  readonly of: Element;
}

/** Values under keys that the user chooses. */
export interface MapType<Element extends Type = Type>
  extends Typed<Readonly<Record<string, ElementOf<Element>>>>, Ruled {
  readonly kind: "map";
  readonly of: Element;
}

/** Nested attributes, or an object that has all of its members. */
export interface ObjectType<A extends Attributes = Attributes> extends Typed<NestedArgs<A>>, Ruled {
  readonly kind: "object";
  /** True if Terraform knows only the types of the members. @default false */
  readonly isPlain?: boolean | undefined;
  readonly fields: Fields<A>;
}

/** All types that an attribute can have. */
export type Type =
  | StringType
  | NumberType
  | IntegerType
  | DecimalType
  | Int64Type
  | BoolType
  | DynamicType
  | ListType
  | SetType
  | MapType
  | ObjectType;

/** The JavaScript type of the known values of a declared type. */
export type ValueOf<T> = T extends Typed<infer Value> ? Value : never;

/**
 * The source of an attribute's value.
 *
 * - `required`: the configuration
 * - `optional`: the configuration, or it stays null
 * - `optionalComputed`: the configuration, otherwise the default or the provider (Terraform: optional and computed)
 * - `computed`: the provider
 */
export type Presence = "required" | "optional" | "optionalComputed" | "computed";

/** One attribute of a declaration. */
export interface Attribute<
  P extends Presence = Presence,
  T extends Type = Type,
  WriteOnly extends boolean = boolean,
> {
  readonly presence: P;
  readonly type: T;
  /** The documentation of the attribute: full sentences in Markdown. */
  readonly doc: string;
  /** The name in Terraform. @default the property's name in snake_case */
  readonly wire?: string | undefined;
  /**
   * Returns true if two different known values mean the same, such as `60s` and `1m`. Then such a value in
   * the configuration plans no change, and such a value from the service is no drift: the state keeps its
   * value. Not inside sets.
   *
   * A collection or an object in the configuration is planned as it is written, because a part of it can be
   * unknown. Attributes of objects can have a function of their own.
   *
   * @default only equal values mean the same
   */
  semanticEquals?(one: ValueOf<T>, other: ValueOf<T>): boolean;
  /** Changing the value replaces the resource. @default false */
  readonly requiresReplace?: boolean | undefined;
  /** The value is computed once and stays known while the resource is updated. @default false */
  readonly useStateForUnknown?: boolean | undefined;
  /**
   * The provider never sets the value to null. So while it is unknown, Terraform knows that it is not null: a
   * condition such as `x.id == null` is false during the plan. Only for computed attributes; not for dynamic ones.
   *
   * @default false
   */
  readonly neverNull?: boolean | undefined;
  /** The value of an optional and computed attribute that the configuration does not set. */
  readonly default?: ValueOf<T> | undefined;
  /** The reason not to use the attribute any longer, and its replacement. */
  readonly deprecated?: Text | undefined;
  /** Terraform never shows the value. @default false */
  readonly sensitive?: boolean | undefined;
  /**
   * The value is in no plan and no state. `create` and `update` receive it in `context.config`. Changing it
   * does not change the resource, so declare a second attribute that users change with it, such as
   * `passwordVersion`. Needs Terraform 1.11; with an older one, setting the attribute is an error.
   *
   * Only for attributes of resources and actions, outside of sets. An object, and a list or a map of objects, are
   * write-only as a whole.
   *
   * @default false
   * @see {@link https://developer.hashicorp.com/terraform/language/manage-sensitive-data/write-only}
   */
  readonly writeOnly?: WriteOnly | undefined;
  /**
   * For a provider setting: the environment variables that provide its default. The first one that is set
   * applies.
   *
   * This is documentation only: the provider's `configure` reads the variables.
   */
  readonly env?: readonly string[] | undefined;
  /** The defaults of the attribute that `timeouts` declares, in milliseconds. */
  readonly timeouts?: Readonly<Record<string, number>> | undefined;
}

/** Attributes by their name in TypeScript. */
export type Attributes = Readonly<Record<string, Attribute>>;

/** The repetition of a block: in order, in any order, or at most once. */
export type Nesting = "list" | "set" | "single";

/** A nested block of a declaration. */
export interface Block<
  N extends Nesting = Nesting,
  A extends Attributes = Attributes,
  B extends Blocks = Blocks,
> {
  readonly nesting: N;
  readonly fields: Fields<A, B>;
  /** The documentation of the block: full sentences in Markdown. */
  readonly doc: string;
  /** The name in Terraform. @default the property's name in snake_case */
  readonly wire?: string | undefined;
  /** The least number of blocks. @default 0 */
  readonly min?: number | undefined;
  /** The greatest number of blocks. With 1, users write the element without an array. @default any number */
  readonly max?: number | undefined;
  /** The reason not to use the block any longer, and its replacement. */
  readonly deprecated?: Text | undefined;
  /**
   * Only for blocks of a set: returns true if two sets mean the same. Then the state keeps the blocks that it has, or
   * that are planned, if the service returns others.
   *
   * @default only equal values mean the same
   */
  semanticEquals?(one: readonly NestedArgs<A>[], other: readonly NestedArgs<A>[]): boolean;
}

/** Blocks by their name in TypeScript. */
export type Blocks = Readonly<Record<string, Block>>;

/**
 * The attributes, blocks and rules that resources, data sources, providers, blocks and objects have in
 * common.
 */
export interface Fields<A extends Attributes = Attributes, B extends Blocks = Blocks> {
  readonly attributes: A;
  readonly blocks?: B | undefined;
  /** Rules on several attributes. @default none */
  readonly rules?: readonly ResourceRule[] | undefined;
}

export type Flat<T> = { [K in keyof T]: T[K] };

type PresenceOf<A> = A extends Attribute<infer P> ? P : never;
type TypeOf<A> = A extends Attribute<Presence, infer T> ? T : never;

type NamesOf<A extends Attributes, P extends Presence> = {
  [K in keyof A]: PresenceOf<A[K]> extends P ? K : never;
}[keyof A];

/** The JavaScript value of nested attributes, as users write it. */
export type NestedArgs<A extends Attributes> = Flat<
  {
    readonly [K in keyof A as K extends NamesOf<A, "required"> ? K : never]: ValueOf<TypeOf<A[K]>>;
  } & {
    readonly [K in keyof A as K extends NamesOf<A, "optional" | "optionalComputed"> ? K : never]?:
      ValueOf<TypeOf<A[K]>> | undefined;
  }
>;

/** The kinds of declarations. */
export type DeclarationKind =
  | "provider"
  | "provider meta"
  | "resource"
  | "data source"
  | "ephemeral resource"
  | "list resource"
  | "action"
  | "module";

import type { ResourceRule } from "./resource-rule";
import type { Type, ValueOf } from "./type";

/**
 * Who gives an attribute its value.
 *
 * - `required`: the configuration
 * - `optional`: the configuration, or nobody
 * - `optionalComputed`: the configuration, else the default or the provider (Terraform: optional and computed)
 * - `computed`: the provider
 */
export type Presence = "required" | "optional" | "optionalComputed" | "computed";

/** One attribute of a declaration. */
export interface Attribute<P extends Presence = Presence, T extends Type = Type> {
  readonly presence: P;
  readonly type: T;
  /** What the attribute means: sentences, in Markdown. */
  readonly doc: string;
  /** The name in Terraform. @default the property's name in snake_case */
  readonly wire?: string | undefined;
  /** A change of the value replaces the resource. @default false */
  readonly requiresReplace?: boolean | undefined;
  /** Computed once: the value stays known while the resource is updated. @default false */
  readonly useStateForUnknown?: boolean | undefined;
  /** What an optional and computed attribute is when the configuration does not say. */
  readonly default?: ValueOf<T> | undefined;
  /** Why the attribute should not be used any more, and what to use instead. */
  readonly deprecated?: string | undefined;
  /** Terraform shows the value nowhere. @default false */
  readonly sensitive?: boolean | undefined;
  /**
   * A provider's setting: environment variables that stand in for it, the first one that is set wins.
   *
   * They are documentation; the provider's `configure` is what reads them.
   */
  readonly env?: readonly string[] | undefined;
}

/** Attributes under the names that they have in TypeScript. */
export type Attributes = Readonly<Record<string, Attribute>>;

/** How often a block may stand, and whether its order counts. */
export type Nesting = "list" | "set" | "single";

/** A nested block of a declaration. */
export interface Block<
  N extends Nesting = Nesting,
  A extends Attributes = Attributes,
  B extends Blocks = Blocks,
> {
  readonly nesting: N;
  readonly fields: Fields<A, B>;
  /** What the block means: sentences, in Markdown. */
  readonly doc: string;
  /** The name in Terraform. @default the property's name in snake_case */
  readonly wire?: string | undefined;
  /** How many must stand. @default 0 */
  readonly min?: number | undefined;
  /** How many may stand; of one that may stand once, users write the element alone. @default any number */
  readonly max?: number | undefined;
  /** Why the block should not be used any more, and what to use instead. */
  readonly deprecated?: string | undefined;
}

/** Blocks under the names that they have in TypeScript. */
export type Blocks = Readonly<Record<string, Block>>;

/** What a resource, a data source, a provider, a block and an object have in common. */
export interface Fields<A extends Attributes = Attributes, B extends Blocks = Blocks> {
  readonly attributes: A;
  readonly blocks?: B | undefined;
  /** Rules on several attributes at once. @default none */
  readonly rules?: readonly ResourceRule[] | undefined;
}

type Options<T extends Type> = Omit<Attribute<Presence, T>, "presence" | "type">;
type Given<T extends Type> = Omit<Options<T>, "useStateForUnknown" | "default">;

/** The configuration must give a value. */
export function required<T extends Type>(type: T, options: Given<T>): Attribute<"required", T> {
  return { ...options, presence: "required", type };
}

/** The configuration may give a value. */
export function optional<T extends Type>(type: T, options: Given<T>): Attribute<"optional", T> {
  return { ...options, presence: "optional", type };
}

/** The configuration may give a value; otherwise the default or the provider does. */
export function optionalComputed<T extends Type>(
  type: T,
  options: Omit<Options<T>, "useStateForUnknown">,
): Attribute<"optionalComputed", T> {
  return { ...options, presence: "optionalComputed", type };
}

/** The provider gives the value. */
export function computed<T extends Type>(
  type: T,
  options: Omit<Options<T>, "default" | "requiresReplace">,
): Attribute<"computed", T> {
  return { ...options, presence: "computed", type };
}

interface BlockOptions<Min extends number, Max extends number> extends Omit<
  Block,
  "nesting" | "fields" | "min" | "max"
> {
  readonly min?: Min | undefined;
  readonly max?: Max | undefined;
}

/** A block whose type tells whether it must stand, and whether it may stand more than once. */
type CountedBlock<
  N extends Nesting,
  A extends Attributes,
  B extends Blocks,
  Min extends number,
  Max extends number,
> = Block<N, A, B> & { readonly min?: Min | undefined; readonly max?: Max | undefined };

/** The fields of a block as they are written: rules name what the block has. */
interface BlockBody<A extends Attributes, B extends Blocks> extends Fields<A, B> {
  readonly rules?: readonly ResourceRule<NoInfer<Extract<keyof A | keyof B, string>>>[] | undefined;
}

function blockOf<N extends Nesting>(nesting: N) {
  return <
    const A extends Attributes,
    const B extends Blocks = Record<never, never>,
    const Min extends number = 0,
    const Max extends number = 0,
  >(
    fields: BlockBody<A, B>,
    options: BlockOptions<Min, Max>,
  ): CountedBlock<N, A, B, Min, Max> => ({ ...options, nesting, fields });
}

/** The nested blocks. */
export const block = {
  /** Repeated; the order counts. */
  list: blockOf("list"),
  /** Repeated; neither order nor repetition counts. */
  set: blockOf("set"),
  /** At most once. */
  single: blockOf("single"),
};

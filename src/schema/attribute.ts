import type { Label, ResourceRule, Text } from "./resource-rule";
import type { Type, ValueOf } from "./type";

/**
 * Who sets the value of an attribute.
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
   * Only for attributes of resources and actions, outside of sets, and not for objects: their attributes can
   * be write-only.
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
}

/** Attributes by their name in TypeScript. */
export type Attributes = Readonly<Record<string, Attribute>>;

/** How a block repeats: in order, in any order, or at most once. */
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

type Options<T extends Type> = Omit<Attribute<Presence, T>, "presence" | "type" | "writeOnly">;
type Given<T extends Type, WriteOnly extends boolean> = Omit<
  Options<T>,
  "useStateForUnknown" | "default" | "neverNull"
> & { readonly writeOnly?: WriteOnly | undefined };

/** The configuration must set a value. */
export function required<T extends Type, const WriteOnly extends boolean = false>(
  type: T,
  options: Given<T, WriteOnly>,
): Attribute<"required", T, NoInfer<WriteOnly>> {
  return { ...options, presence: "required", type };
}

/** The configuration may set a value. */
export function optional<T extends Type, const WriteOnly extends boolean = false>(
  type: T,
  options: Given<T, WriteOnly>,
): Attribute<"optional", T, NoInfer<WriteOnly>> {
  return { ...options, presence: "optional", type };
}

/** The configuration may set a value; otherwise the default or the provider does. */
export function optionalComputed<T extends Type>(
  type: T,
  options: Omit<Options<T>, "useStateForUnknown" | "neverNull">,
): Attribute<"optionalComputed", T, false> {
  return { ...options, presence: "optionalComputed", type };
}

/** A computed attribute whose type records whether it can be null. */
type ComputedAttribute<T extends Type, NeverNull extends true | undefined> = Attribute<
  "computed",
  T,
  false
> & { readonly neverNull: NeverNull };

/**
 * The provider sets the value.
 *
 * @throws Error when a dynamic attribute is declared as never null: Terraform does not know its type
 */
export function computed<T extends Type, const NeverNull extends true | undefined = undefined>(
  type: T,
  options: Omit<Options<T>, "default" | "requiresReplace" | "neverNull"> & {
    readonly neverNull?: NeverNull;
  },
): ComputedAttribute<T, NoInfer<NeverNull>> {
  if (options.neverNull === true && type.kind === "dynamic") {
    throw new Error("a dynamic attribute cannot be declared as never null");
  }
  const attribute: Attribute<"computed", T, false> = { ...options, presence: "computed", type };
  // Whether it is there follows from the type parameter, which the compiler cannot see.
  return attribute as ComputedAttribute<T, NeverNull>;
}

interface BlockOptions<Min extends number, Max extends number> extends Omit<
  Block,
  "nesting" | "fields" | "min" | "max"
> {
  readonly min?: Min | undefined;
  readonly max?: Max | undefined;
}

/** A block whose type records whether it is required, and whether it may be repeated. */
type CountedBlock<
  N extends Nesting,
  A extends Attributes,
  B extends Blocks,
  Min extends number,
  Max extends number,
> = Block<N, A, B> & { readonly min?: Min | undefined; readonly max?: Max | undefined };

/**
 * The fields of a block as a declaration writes them. Rules can name only attributes and blocks of the same
 * block.
 */
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

/** Declares nested blocks. */
export const block = {
  /** Repeated; the order matters. */
  list: blockOf("list"),
  /** Repeated; neither order nor duplicates matter. */
  set: blockOf("set"),
  /** At most once. */
  single: blockOf("single"),
};

/** Checks whether values of a type contain a sensitive value, so that no message may show them as a whole. */
export function containsSecrets(type: Type): boolean {
  switch (type.kind) {
    case "list":
    case "set":
    case "map":
      return containsSecrets(type.of);
    case "object":
      return hasSecrets(type.fields);
    default:
      return false;
  }
}

/** Checks whether messages must hide the attribute's value. */
export const isSensitive = ({ sensitive, writeOnly }: Attribute): boolean =>
  sensitive === true || writeOnly === true;

/** Checks whether a declaration, block or object has a sensitive attribute at any depth. */
export function hasSecrets({ attributes, blocks = {} }: Fields): boolean {
  const isSecret = (attribute: Attribute): boolean =>
    isSensitive(attribute) || containsSecrets(attribute.type);
  return (
    Object.values(attributes).some(isSecret) ||
    Object.values(blocks).some((block: Block) => hasSecrets(block.fields))
  );
}

/** Returns the name of a property in Terraform: `given.wire`, or else the property's name in snake_case. */
export function wireName(name: string, given?: { readonly wire?: string | undefined }): string {
  return given?.wire ?? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns the names in Terraform of all that is declared together, by their names in TypeScript. */
export const wireNames =
  ({ attributes, blocks = {} }: Fields): Label =>
  (name) =>
    wireName(name, attributes[name] ?? blocks[name]);

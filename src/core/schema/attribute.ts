import type {
  Attribute,
  Attributes,
  Block,
  Blocks,
  Fields,
  Nesting,
  Presence,
  Type,
} from "./declared-types";
import type { Label, ResourceRule } from "./resource-rule";

export type {
  Attribute,
  Attributes,
  Block,
  Blocks,
  Fields,
  Nesting,
  Presence,
} from "./declared-types";

type Options<T extends Type> = Omit<
  Attribute<Presence, T>,
  "presence" | "type" | "writeOnly" | "timeouts"
>;
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

/** The provider sets the value. */
export function computed<T extends Type, const NeverNull extends true | undefined = undefined>(
  type: T,
  options: Omit<Options<T>, "default" | "requiresReplace" | "neverNull"> & {
    readonly neverNull?: NeverNull;
  },
): ComputedAttribute<T, NoInfer<NeverNull>> {
  const attribute: Attribute<"computed", T, false> = { ...options, presence: "computed", type };
  // Whether `neverNull` is set follows from the type parameter, which the compiler cannot see.
  return attribute as ComputedAttribute<T, NeverNull>;
}

interface BlockOptions<Min extends number, Max extends number> extends Omit<
  Block,
  "nesting" | "fields" | "min" | "max" | "semanticEquals"
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

/** The fields of a block as a declaration writes them. Rules can read only attributes and blocks of the same block. */
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
    options: BlockOptions<Min, Max> & Pick<Block<N, A, B>, "semanticEquals">,
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
  if ("of" in type) return containsSecrets(type.of);
  return type.kind === "object" && hasSecrets(type.fields);
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

/** Converts a name of Terraform to camelCase, as most names are written in TypeScript. */
export const camelCase = (wire: string): string =>
  wire.replaceAll(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());

/** Returns how Terraform writes the names of a declaration, block or object. */
export const wireNames =
  ({ attributes, blocks = {} }: Fields): Label =>
  (name) =>
    wireName(name, attributes[name] ?? blocks[name]);

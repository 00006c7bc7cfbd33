import { type Attribute, type Block, type Fields, type Nesting, wireName } from "./attribute";
import type { Declaration } from "./declaration";
import type { Type } from "./type";

/**
 * A type in Terraform's JSON notation.
 *
 * @see https://developer.hashicorp.com/terraform/plugin/terraform-plugin-protocol
 */
export type WireType =
  | "string"
  | "number"
  | "bool"
  | "dynamic"
  | readonly ["list" | "set" | "map", WireType]
  | readonly ["object", Readonly<Record<string, WireType>>];

/** How nested attributes repeat. */
export type WireNesting = Nesting | "map";

/** An attribute in Terraform's schema. Either `type` or `nested` is set. */
export interface WireAttribute {
  readonly name: string;
  readonly type: WireType | undefined;
  readonly nested:
    { readonly nesting: WireNesting; readonly attributes: readonly WireAttribute[] } | undefined;
  readonly description: string;
  readonly required: boolean;
  readonly optional: boolean;
  readonly computed: boolean;
  readonly sensitive: boolean;
  readonly writeOnly: boolean;
  readonly deprecated: boolean;
}

export interface WireNestedBlock {
  readonly name: string;
  readonly nesting: Nesting;
  readonly block: WireBlock;
  readonly minItems: number;
  readonly maxItems: number;
}

/** The content of a resource, a provider or a block. */
export interface WireBlock {
  readonly attributes: readonly WireAttribute[];
  readonly blocks: readonly WireNestedBlock[];
  readonly description: string;
  readonly deprecated: boolean;
}

/** The schema of a declaration as Terraform sees it, independent of the protocol's messages. */
export interface WireSchema {
  readonly version: number;
  readonly block: WireBlock;
}

/** Derives the schema that a provider serves from a declaration. */
export function wireSchema(declaration: Declaration): WireSchema {
  return { version: declaration.version, block: wireBlock(declaration, declaration) };
}

function wireBlock(fields: Fields, about: Pick<Block, "doc" | "deprecated">): WireBlock {
  const { attributes, blocks = {} } = fields;
  return {
    attributes: wireAttributes(attributes),
    blocks: Object.entries(blocks).map(([name, block]) => nestedBlock(name, block)),
    description: about.doc,
    deprecated: about.deprecated !== undefined,
  };
}

const wireAttributes = (attributes: Fields["attributes"]): readonly WireAttribute[] =>
  Object.entries(attributes).map(([name, attribute]) => wireAttribute(name, attribute));

function wireAttribute(name: string, attribute: Attribute): WireAttribute {
  const { presence, type } = attribute;
  const nested = nestedAttributes(type);
  return {
    name: wireName(name, attribute),
    type: nested === undefined ? wireType(type) : undefined,
    nested,
    description: attribute.doc,
    required: presence === "required",
    optional: presence === "optional" || presence === "optionalComputed",
    computed: presence === "computed" || presence === "optionalComputed",
    sensitive: attribute.sensitive === true,
    writeOnly: attribute.writeOnly === true,
    deprecated: attribute.deprecated !== undefined,
  };
}

function nestedAttributes(type: Type): WireAttribute["nested"] {
  if (type.kind === "object") {
    return { nesting: "single", attributes: wireAttributes(type.fields.attributes) };
  }
  if ((type.kind === "list" || type.kind === "set" || type.kind === "map") && "of" in type) {
    const element = type.of;
    if (element.kind === "object") {
      return { nesting: type.kind, attributes: wireAttributes(element.fields.attributes) };
    }
  }
  return undefined;
}

function nestedBlock(name: string, block: Block): WireNestedBlock {
  return {
    name: wireName(name, block),
    nesting: block.nesting,
    block: wireBlock(block.fields, block),
    // Terraform allows counts for repeated blocks only; `check` counts a single block.
    minItems: block.nesting === "single" ? 0 : (block.min ?? 0),
    maxItems: block.nesting === "single" ? 0 : (block.max ?? 0),
  };
}

/** Derives the type that a provider serves from a declared type. */
export function wireType(type: Type): WireType {
  switch (type.kind) {
    case "string":
    case "bool":
    case "number":
    case "dynamic":
      return type.kind;
    case "integer":
    case "decimal":
    case "int64":
      return "number";
    case "list":
    case "set":
    case "map":
      return [type.kind, wireType(type.of)];
    case "object":
      return [
        "object",
        Object.fromEntries(
          Object.entries(type.fields.attributes).map(([name, attribute]) => [
            wireName(name, attribute),
            wireType(attribute.type),
          ]),
        ),
      ];
  }
}

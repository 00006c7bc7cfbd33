import {
  type Attribute,
  type Block,
  type Fields,
  type Nesting,
  wireName,
  wireNames,
} from "./attribute";
import type { Declaration } from "./declaration";
import { type Label, textFor } from "./resource-rule";
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
  /** The reason not to use it any longer, and its replacement; undefined if it is not deprecated. */
  readonly deprecated: string | undefined;
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
  /** The reason not to use it any longer, and its replacement; undefined if it is not deprecated. */
  readonly deprecated: string | undefined;
}

/** The schema of a declaration as Terraform sees it, independent of the protocol's messages. */
export interface WireSchema {
  readonly version: number;
  readonly block: WireBlock;
}

/** Derives the schema that a provider serves from a declaration. */
export function wireSchema({ version, doc, ...fields }: Declaration): WireSchema {
  return { version, block: wireBlock(fields, doc, undefined) };
}

function wireBlock(fields: Fields, description: string, deprecated: string | undefined): WireBlock {
  const { blocks = {} } = fields;
  const label = wireNames(fields);
  return {
    attributes: wireAttributes(fields),
    blocks: Object.entries(blocks).map(([name, block]) => nestedBlock(name, block, label)),
    description,
    deprecated,
  };
}

/** @param isHidden true inside a write-only object: in Terraform, each member must be write-only as well */
function wireAttributes(fields: Fields, isHidden = false): readonly WireAttribute[] {
  const label = wireNames(fields);
  return Object.entries(fields.attributes).map(([name, attribute]) =>
    wireAttribute(name, attribute, label, isHidden),
  );
}

function wireAttribute(
  name: string,
  attribute: Attribute,
  label: Label,
  isHidden: boolean,
): WireAttribute {
  const { presence, type, deprecated } = attribute;
  const writeOnly = isHidden || attribute.writeOnly === true;
  const nested = nestedAttributes(type, writeOnly);
  return {
    name: wireName(name, attribute),
    type: nested === undefined ? wireType(type) : undefined,
    nested,
    description: attribute.doc,
    required: presence === "required",
    optional: presence === "optional" || presence === "optionalComputed",
    computed: presence === "computed" || presence === "optionalComputed",
    sensitive: attribute.sensitive === true,
    writeOnly,
    deprecated: deprecated === undefined ? undefined : textFor(deprecated, label),
  };
}

function nestedAttributes(type: Type, isHidden: boolean): WireAttribute["nested"] {
  const nested = nestedType(type);
  return nested && { nesting: nested.nesting, attributes: wireAttributes(nested.fields, isHidden) };
}

/** Returns what is nested in a type, unless Terraform knows only the type; undefined without nested attributes. */
export function nestedType(
  type: Type,
): { readonly nesting: WireNesting; readonly fields: Fields } | undefined {
  const [nesting, element] = "of" in type ? [type.kind, type.of] : (["single", type] as const);
  if (element.kind !== "object" || element.isPlain === true) return undefined;
  return { nesting, fields: element.fields };
}

function nestedBlock(name: string, block: Block, label: Label): WireNestedBlock {
  const { deprecated } = block;
  const text = deprecated === undefined ? undefined : textFor(deprecated, label);
  return {
    name: wireName(name, block),
    nesting: block.nesting,
    block: wireBlock(block.fields, block.doc, text),
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

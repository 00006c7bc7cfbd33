import { type CtyObjectType, type CtyType, typeFromJson } from "../cty/type";
import type { providerMethods } from "../wire/tfplugin6/tfplugin6";

type SchemaMessage = NonNullable<
  ReturnType<(typeof providerMethods)["getProviderSchema"]["response"]["decode"]>["provider"]
>;
type BlockMessage = NonNullable<SchemaMessage["block"]>;
type AttributeMessage = BlockMessage["attributes"][number];
type NestedBlockMessage = BlockMessage["blockTypes"][number];

export type Nesting = "single" | "group" | "list" | "set" | "map";

/** Checks whether there is one object at most. */
export const isSingle = (nesting: Nesting): boolean => nesting === "single" || nesting === "group";

/** Objects inside a value: a block's, or an attribute's with nested attributes. */
export interface SchemaNested {
  readonly nesting: Nesting;
  readonly block: SchemaBlock;
}

export interface SchemaAttribute {
  readonly type: CtyType;
  readonly isRequired: boolean;
  readonly isOptional: boolean;
  readonly isComputed: boolean;
  readonly isSensitive: boolean;
  readonly isWriteOnly: boolean;
  /** The nested attributes; undefined for a plain type. */
  readonly nested: SchemaNested | undefined;
}

/** A kind of block that another block can contain. */
export interface SchemaBlockType extends SchemaNested {
  readonly minItems: number;
  readonly maxItems: number;
}

/** The schema of a resource, a data source or the settings of a provider. Its names are the names in values. */
export interface SchemaBlock {
  readonly attributes: ReadonlyMap<string, SchemaAttribute>;
  readonly blocks: ReadonlyMap<string, SchemaBlockType>;
  readonly type: CtyObjectType;
  /** True if any attribute, at any depth, is sensitive. */
  readonly hasSensitive: boolean;
}

/** Converts the schema of a response. */
export function readBlock(message: BlockMessage | undefined): SchemaBlock {
  const attributes = new Map(
    (message?.attributes ?? []).map((each) => [each.name, readAttribute(each)] as const),
  );
  const blocks = new Map(
    (message?.blockTypes ?? []).map((each) => [each.typeName, readBlockType(each)] as const),
  );
  return blockOf(attributes, blocks);
}

function blockOf(
  attributes: SchemaBlock["attributes"],
  blocks: SchemaBlock["blocks"],
): SchemaBlock {
  const fields = [
    ...[...attributes].map(([name, { type, isRequired }]) => ({
      wire: name,
      name,
      type,
      // Members of nested attributes can be left out.
      optional: !isRequired,
    })),
    ...[...blocks].map(([name, { nesting, block }]) => ({
      wire: name,
      name,
      type: nestedType(nesting, block.type),
    })),
  ];
  const hasSensitive =
    [...attributes.values()].some(
      ({ isSensitive, nested }) => isSensitive || nested?.block.hasSensitive === true,
    ) || [...blocks.values()].some(({ block }) => block.hasSensitive);
  return { attributes, blocks, type: { object: fields }, hasSensitive };
}

function readAttribute(message: AttributeMessage): SchemaAttribute {
  const { nestedType: object } = message;
  const nested = object && {
    nesting: nestingOf(object.nesting),
    block: blockOf(
      new Map(object.attributes.map((each) => [each.name, readAttribute(each)] as const)),
      new Map(),
    ),
  };
  return {
    type:
      nested === undefined
        ? typeFromJson(new TextDecoder().decode(message.type))
        : nestedType(nested.nesting, nested.block.type),
    isRequired: message.required,
    isOptional: message.optional,
    isComputed: message.computed,
    isSensitive: message.sensitive,
    isWriteOnly: message.writeOnly,
    nested,
  };
}

const readBlockType = ({
  block,
  nesting,
  minItems,
  maxItems,
}: NestedBlockMessage): SchemaBlockType => ({
  nesting: nestingOf(nesting),
  block: readBlock(block),
  minItems,
  maxItems,
});

const nestings: Readonly<Record<string, Nesting>> = {
  LIST: "list",
  SET: "set",
  MAP: "map",
  GROUP: "group",
};

const nestingOf = (nesting: string | undefined): Nesting => nestings[nesting ?? ""] ?? "single";

function nestedType(nesting: Nesting, type: CtyType): CtyType {
  if (nesting === "list") return { list: type };
  if (nesting === "set") return { set: type };
  return nesting === "map" ? { map: type } : type;
}

import type {
  WireAttribute,
  WireBlock,
  WireNestedBlock,
  WireNesting,
  WireSchema,
} from "../../schema/wire-schema";
import type {
  AttributeInit,
  BlockInit,
  NestedBlockInit,
  SchemaInit,
} from "../wire/tfplugin6/tfplugin6";

const nestings = {
  single: "SINGLE",
  list: "LIST",
  set: "SET",
  map: "MAP",
} as const satisfies Record<WireNesting, string>;

const encoder = new TextEncoder();

/** Converts a schema to the protocol's message. */
export function schemaMessage({ version, block }: WireSchema): SchemaInit {
  return { version, block: blockMessage(block) };
}

function blockMessage(block: WireBlock): BlockInit {
  return {
    attributes: block.attributes.map(attributeMessage),
    blockTypes: block.blocks.map(nestedBlockMessage),
    description: block.description,
    descriptionKind: "MARKDOWN",
    deprecated: block.deprecated,
  };
}

function nestedBlockMessage(nested: WireNestedBlock): NestedBlockInit {
  return {
    typeName: nested.name,
    block: blockMessage(nested.block),
    nesting: nestings[nested.nesting],
    minItems: nested.minItems,
    maxItems: nested.maxItems,
  };
}

function attributeMessage(attribute: WireAttribute): AttributeInit {
  const { type, nested, name, description, required, optional, computed } = attribute;
  return {
    name,
    description,
    required,
    optional,
    computed,
    sensitive: attribute.sensitive,
    writeOnly: attribute.writeOnly,
    deprecated: attribute.deprecated,
    descriptionKind: "MARKDOWN",
    ...(type !== undefined && { type: encoder.encode(JSON.stringify(type)) }),
    ...(nested !== undefined && {
      nestedType: {
        nesting: nestings[nested.nesting],
        attributes: nested.attributes.map(attributeMessage),
      },
    }),
  };
}

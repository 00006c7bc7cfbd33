import type { Attribute, Block, Fields } from "../../schema/attribute";
import { hasSecrets } from "../../schema/attribute";
import type { Type } from "../../schema/type";
import type { SchemaAttribute, SchemaBlock, SchemaBlockType, SchemaNested } from "../core/schema";
import { ctyTypeOf, ctyTypeOfValue } from "../plan/cty-type";

/** Returns the schema of a declaration, for values with its names. */
export function schemaOf(fields: Fields): SchemaBlock {
  let schema = schemas.get(fields);
  if (schema === undefined) {
    const { attributes, blocks = {} } = fields;
    schema = {
      attributes: new Map(
        Object.entries(attributes).map(([name, each]) => [name, attributeOf(each)]),
      ),
      blocks: new Map(Object.entries(blocks).map(([name, each]) => [name, blockTypeOf(each)])),
      type: ctyTypeOf(fields),
      hasSensitive: hasSecrets(fields),
    };
    schemas.set(fields, schema);
  }
  return schema;
}

const schemas = new WeakMap<Fields, SchemaBlock>();

const attributeOf = ({
  type,
  presence,
  sensitive = false,
  writeOnly = false,
}: Attribute): SchemaAttribute => ({
  type: ctyTypeOfValue(type),
  isRequired: presence === "required",
  isOptional: presence === "optional" || presence === "optionalComputed",
  isComputed: presence === "computed" || presence === "optionalComputed",
  isSensitive: sensitive,
  isWriteOnly: writeOnly,
  nested: nestedOf(type),
});

const blockTypeOf = ({ nesting, fields, min = 0, max = 0 }: Block): SchemaBlockType => ({
  nesting,
  block: schemaOf(fields),
  minItems: min,
  maxItems: max,
});

function nestedOf(type: Type): SchemaNested | undefined {
  if (type.kind === "object") return { nesting: "single", block: schemaOf(type.fields) };
  if (!("of" in type) || type.of.kind !== "object") return undefined;
  return { nesting: type.kind, block: schemaOf(type.of.fields) };
}

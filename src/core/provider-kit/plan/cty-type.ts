import { type Attribute, type Block, type Fields, wireName } from "../../schema/attribute";
import type { Type } from "../../schema/type";
import type { CtyField, CtyObjectType, CtyType } from "../cty/type";

/**
 * Returns the wire type of a declaration's values. Each field has its TypeScript name and its Terraform name.
 */
export function ctyTypeOf(fields: Fields): CtyObjectType {
  let type = types.get(fields);
  if (type === undefined) {
    const { attributes, blocks = {} } = fields;
    type = {
      object: [
        ...Object.entries(attributes).map(([name, attribute]) => attributeField(name, attribute)),
        ...Object.entries(blocks).map(([name, block]) => blockField(name, block)),
      ],
    };
    types.set(fields, type);
  }
  return type;
}

const types = new WeakMap<Fields, CtyObjectType>();

function attributeField(name: string, attribute: Attribute): CtyField {
  const field = { wire: wireName(name, attribute), name, type: ctyTypeOfValue(attribute.type) };
  return attribute.neverNull === true ? { ...field, neverNull: true } : field;
}

function blockField(name: string, block: Block): CtyField {
  const type = ctyTypeOf(block.fields);
  const field = { wire: wireName(name, block), name };
  if (block.nesting === "single") return { ...field, type };
  // Terraform sends absent blocks as an empty list, but Pulumi's bridge as null.
  const nested = block.nesting === "list" ? { list: type } : { set: type };
  return { ...field, type: nested, nullIsEmpty: true };
}

/** Returns the wire type of a declared type. */
export function ctyTypeOfValue(type: Type): CtyType {
  switch (type.kind) {
    case "integer":
      return "number";
    case "list":
      return { list: ctyTypeOfValue(type.of) };
    case "set":
      return { set: ctyTypeOfValue(type.of) };
    case "map":
      return { map: ctyTypeOfValue(type.of) };
    case "object":
      return ctyTypeOf(type.fields);
    default:
      return type.kind;
  }
}

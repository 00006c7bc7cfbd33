import type { Attribute, Fields } from "./attribute";
import type { Type } from "./type";

/** Checks whether an attribute of a declaration, block or object fulfils a condition, at any depth. */
export function someAttribute(
  { attributes, blocks = {} }: Fields,
  is: (attribute: Attribute) => boolean,
): boolean {
  return (
    Object.values(attributes).some((each) => is(each) || someAttributeIn(each.type, is)) ||
    Object.values(blocks).some(({ fields }) => someAttribute(fields, is))
  );
}

/** Checks whether an attribute of the objects in a type fulfils a condition, at any depth. */
export function someAttributeIn(type: Type, is: (attribute: Attribute) => boolean): boolean {
  if (type.kind === "object") return someAttribute(type.fields, is);
  return "of" in type && someAttributeIn(type.of, is);
}

import type { Attribute, Fields, Nesting } from "../../../schema/attribute";
import type { Type } from "../../../schema/type";

/** What Terraform looks into: an attribute with attributes of its own, or a block. */
export interface Nested {
  readonly nesting: Nesting | "map";
  readonly fields: Fields;
}

/** The attributes in a type, where Terraform's schema has a nested type; undefined for plain values. */
export function nestedType(type: Type): Nested | undefined {
  if (type.kind === "object") return { nesting: "single", fields: type.fields };
  if (!("of" in type) || type.of.kind !== "object") return undefined;
  return { nesting: type.kind, fields: type.of.fields };
}

/** Whether the provider may give the value: what Terraform's schema calls computed. */
export const isComputed = ({ presence }: Attribute): boolean =>
  presence === "computed" || presence === "optionalComputed";

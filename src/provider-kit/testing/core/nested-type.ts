import type { Attribute, Fields, Nesting } from "../../../schema/attribute";
import type { Type } from "../../../schema/type";

/** An attribute with nested attributes, or a block. */
export interface Nested {
  readonly nesting: Nesting | "map";
  readonly fields: Fields;
}

export function nestedType(type: Type): Nested | undefined {
  if (type.kind === "object") return { nesting: "single", fields: type.fields };
  if (!("of" in type) || type.of.kind !== "object") return undefined;
  return { nesting: type.kind, fields: type.of.fields };
}

/** Checks whether the provider may set the value: `computed` in Terraform's schema. */
export const isComputed = ({ presence }: Attribute): boolean =>
  presence === "computed" || presence === "optionalComputed";

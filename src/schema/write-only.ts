import type { Attribute, Fields } from "./attribute";
import { someAttribute, someAttributeIn } from "./some-attribute";
import type { Type } from "./type";

/** Checks whether a declaration, block or object has a write-only attribute at any depth. */
export const hasWriteOnly = (fields: Fields): boolean => someAttribute(fields, isWriteOnly);

const isWriteOnly = ({ writeOnly }: Attribute): boolean => writeOnly === true;

/** @throws Error when an attribute is write-only where Terraform does not allow it */
export function checkWriteOnly({
  kind,
  type,
  attributes,
  blocks = {},
}: Fields & { readonly kind: string; readonly type: string }): void {
  if (!hasWriteOnly({ attributes, blocks })) return;
  if (kind !== "resource" && kind !== "action") {
    throw new Error(
      `${type}: only attributes of resources and actions can be write-only (this is a declaration of kind "${kind}")`,
    );
  }
  checkFields(type, { attributes, blocks });
}

function checkFields(at: string, { attributes, blocks = {} }: Fields): void {
  for (const [name, attribute] of Object.entries(attributes)) {
    checkAttribute(`${at}.${name}`, attribute);
  }
  for (const [name, { nesting, fields }] of Object.entries(blocks)) {
    if (nesting === "set" && hasWriteOnly(fields)) refuseInSet(`${at}.${name}`);
    checkFields(`${at}.${name}`, fields);
  }
}

function checkAttribute(at: string, { type, writeOnly, requiresReplace }: Attribute): void {
  if (writeOnly === true && isNested(type)) {
    throw new Error(`${at}: an object cannot be write-only; declare its attributes as write-only`);
  }
  if (writeOnly === true && requiresReplace === true) {
    throw new Error(
      `${at}: a write-only attribute cannot replace the resource: Terraform does not see its change`,
    );
  }
  checkNested(at, type);
}

function checkNested(at: string, type: Type): void {
  if (type.kind === "set" && someAttributeIn(type, isWriteOnly)) refuseInSet(at);
  if (type.kind === "object") checkFields(at, type.fields);
  else if ("of" in type) checkNested(at, type.of);
}

const isNested = (type: Type): boolean =>
  type.kind === "object" || ("of" in type && isNested(type.of));

function refuseInSet(at: string): never {
  throw new Error(`${at}: a set cannot contain write-only attributes`);
}

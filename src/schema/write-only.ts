import type { Fields } from "./attribute";
import { attributesIn, someAttribute } from "./some-attribute";
import type { Type } from "./type";

/** Checks whether a declaration, block or object has a write-only attribute at any depth. */
export const hasWriteOnly = (fields: Fields): boolean =>
  someAttribute(fields, ({ writeOnly }) => writeOnly === true);

/** @throws Error when an attribute is write-only where Terraform does not allow it */
export function checkWriteOnly(
  declaration: Fields & { readonly kind: string; readonly type: string },
): void {
  const { kind } = declaration;
  for (const { attribute, at, set } of attributesIn(declaration, declaration.type)) {
    if (attribute.writeOnly !== true) continue;
    if (kind !== "resource" && kind !== "action") {
      throw new Error(
        `${declaration.type}: only attributes of resources and actions can be write-only (this is a declaration of kind "${kind}")`,
      );
    }
    if (set !== undefined) throw new Error(`${set}: a set cannot contain write-only attributes`);
    if (isNested(attribute.type)) {
      throw new Error(
        `${at}: an object cannot be write-only; declare its attributes as write-only`,
      );
    }
    if (attribute.requiresReplace === true) {
      throw new Error(
        `${at}: a write-only attribute cannot replace the resource: Terraform does not see its change`,
      );
    }
  }
}

const isNested = (type: Type): boolean =>
  type.kind === "object" || ("of" in type && isNested(type.of));

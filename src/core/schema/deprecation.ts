import type { Fields } from "./declared-types";
import type { Type } from "./type";
import { warning } from "./warning";

/** Returns the code of the warning about a deprecated attribute or block: `deprecated-sidebar-app`. */
export const deprecationCode = (name: string): string =>
  `deprecated-${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll("_", "-")}`;

/** Defines the warnings about what a declaration, block or object deprecates, at any depth. */
export function defineDeprecations({ attributes, blocks = {} }: Fields): void {
  for (const [name, { deprecated, type }] of Object.entries(attributes)) {
    if (deprecated !== undefined) define(name);
    const fields = fieldsIn(type);
    if (fields !== undefined) defineDeprecations(fields);
  }
  for (const [name, { deprecated, fields }] of Object.entries(blocks)) {
    if (deprecated !== undefined) define(name);
    defineDeprecations(fields);
  }
}

/** Why, and what to use instead, is in the documentation of the property, and in the warning. */
const define = (name: string): unknown =>
  warning(deprecationCode(name), `\`${name}\` is deprecated`);

function fieldsIn(type: Type): Fields | undefined {
  if ("of" in type) return fieldsIn(type.of);
  return type.kind === "object" ? type.fields : undefined;
}

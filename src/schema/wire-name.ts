import type { Fields } from "./attribute";
import type { Label } from "./resource-rule";

/** The name of a property in Terraform: `given.wire`, or otherwise the property's name in snake_case. */
export function wireName(name: string, given?: { readonly wire?: string | undefined }): string {
  return given?.wire ?? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The names in Terraform of what is declared together. */
export const wireNames =
  ({ attributes, blocks = {} }: Fields): Label =>
  (name) =>
    wireName(name, attributes[name] ?? blocks[name]);

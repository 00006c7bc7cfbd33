import type { Declaration } from "./declaration";
import { wireName } from "./attribute";

/** Returns the forms of the ID that `terraform import` accepts, with Terraform's names of the parts. */
export function importForms({ attributes, importId }: Declaration): readonly string[] {
  return importId.map((template) =>
    template.replaceAll(
      /\{\+?(\w+)\}/g,
      (_, name: string) => `{${wireName(name, attributes[name])}}`,
    ),
  );
}

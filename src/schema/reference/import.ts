import type { Declaration } from "../declaration";
import { importForms } from "../import-form";
import { bullets, fence } from "./markdown";
import { nameInExample, type ReferenceExample } from "./usage";

/** The section Import; empty if the resource cannot be imported. */
export function importSection(
  declaration: Declaration,
  example: ReferenceExample | undefined,
): string[] {
  const forms = importForms(declaration);
  const [form] = forms;
  if (form === undefined) return [];
  const address = `${declaration.type}.${nameInExample(declaration.type, example)}`;
  const ids = bullets(forms.map((each) => `\`${each}\``));
  const which =
    forms.length === 1
      ? `The ID has the form \`${form}\`.`
      : `The ID has one of these forms. The first one that matches applies:\n\n${ids}`;
  return [
    "## Import",
    which,
    "With an `import` block (Terraform 1.5 or newer):",
    fence("terraform", `import {\n  to = ${address}\n  id = "${form}"\n}`),
    "With the command:",
    fence("shell", `terraform import ${address} '${form}'`),
    "In TypeScript, call `importFrom` of the resource with the ID.",
  ];
}

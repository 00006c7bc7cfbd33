import { type Declaration, type Identity, importForms } from "../declaration";
import type { Type } from "../type";
import { wireName } from "../attribute";
import { attributeItem } from "./attribute";
import { bullets, fence, nameInExample, type ReferenceExample } from "./markdown";

/** The section Import; empty if the resource cannot be imported. */
export function importSection(
  declaration: Declaration,
  example: ReferenceExample | undefined,
): string[] {
  const address = `${declaration.type}.${nameInExample(declaration.type, example)}`;
  const { identity } = declaration;
  const sections = [
    ...byId(declaration, address),
    ...(identity === undefined ? [] : byIdentity(identity, address)),
  ];
  return sections.length === 0 ? [] : ["## Import", ...sections];
}

function byId(declaration: Declaration, address: string): string[] {
  const forms = importForms(declaration);
  const [form] = forms;
  if (form === undefined) return [];
  const ids = bullets(forms.map((each) => `\`${each}\``));
  const which =
    forms.length === 1
      ? `The ID has the form \`${form}\`.`
      : `The ID has one of these forms. The first one that matches applies:\n\n${ids}`;
  return [
    which,
    "With an `import` block (Terraform 1.5 or newer):",
    fence("terraform", `import {\n  to = ${address}\n  id = "${form}"\n}`),
    "With the command:",
    fence("shell", `terraform import ${address} '${form}'`),
    "In TypeScript, call `importFrom` of the resource with the ID.",
  ];
}

function byIdentity({ attributes }: Identity, address: string): string[] {
  const named = Object.entries(attributes);
  const names = named.map(([name, attribute]) => wireName(name, attribute));
  const width = Math.max(...names.map((name) => name.length));
  const lines = named.map(([name, attribute]) => {
    const wire = wireName(name, attribute);
    return `    ${wire.padEnd(width)} = ${placeholder(wire, attribute.type)}`;
  });
  const group = (title: string, presence: string): string[] => {
    const items = named.filter(([, attribute]) => attribute.presence === presence);
    if (items.length === 0) return [];
    return [
      `#### ${title}`,
      bullets(items.map(([name, each]) => attributeItem(name, each, { attributes }))),
    ];
  };
  return [
    "By the resource's identity (Terraform 1.12 or newer):",
    fence("terraform", `import {\n  to = ${address}\n  identity = {\n${lines.join("\n")}\n  }\n}`),
    "### Identity Schema",
    ...group("Required", "required"),
    ...group("Optional", "optional"),
  ];
}

function placeholder(name: string, type: Type): string {
  if (type.kind === "list") return `[${placeholder(name, type.of)}]`;
  if (type.kind === "string") return `"{${name}}"`;
  return type.kind === "bool" ? "true" : "1";
}

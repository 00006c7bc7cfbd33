import type { FunctionDeclaration, Parameter } from "../function";
import type { Type } from "../type";
import { wireName } from "../attribute";
import { attributeItem, objectFields, ruleDocs, typeName, values } from "./attribute";
import { bullets, escapeHtml, fence, type ReferenceExample, usage } from "./markdown";

export function functionSections(
  provider: string,
  declaration: FunctionDeclaration,
  example: ReferenceExample | undefined,
): string[] {
  const { name, doc, deprecated, parameters, returns } = declaration;
  const items = Object.entries(parameters).map(
    ([key, each], at) => `${at + 1}. ${parameterItem(key, each)}`,
  );
  return [
    `# ${name} (Function)`,
    escapeHtml(doc),
    ...(deprecated === undefined ? [] : [`**Deprecated:** ${deprecated}.`]),
    ...usage(example),
    "## Signature",
    fence("text", signature(provider, declaration)),
    ...(items.length === 0 ? [] : ["## Arguments", items.join("\n")]),
    "## Result",
    typeName(returns),
    ...nested(returns),
    ...(declaration.example === undefined ? [] : [fence("text", declaration.example)]),
  ];
}

function signature(provider: string, { name, parameters, returns }: FunctionDeclaration): string {
  const given = Object.entries(parameters).map(
    ([key, each]) =>
      `${wireName(key, each)} ${typeName(each.type).toLowerCase()}${each.isVariadic ? "..." : ""}`,
  );
  return `provider::${provider}::${name}(${given.join(", ")}) ${typeName(returns).toLowerCase()}`;
}

function parameterItem(key: string, parameter: Parameter): string {
  const { type, doc, allowNull, allowUnknown, isVariadic } = parameter;
  const words = [
    typeName(type),
    ...(isVariadic ? ["Variadic"] : []),
    ...(allowNull === true ? ["Nullable"] : []),
  ];
  const unknown = allowUnknown === true ? " May be known only after apply." : "";
  const line = `\`${wireName(key, parameter)}\` (${words.join(", ")}) ${doc}${unknown}`;
  const rules = [...values(type), ...ruleDocs(type)].map((text) => `   - ${escapeHtml(text)}`);
  return [
    escapeHtml(line),
    ...rules,
    ...nested(type).map((text) => text.replaceAll(/^/gm, "   ")),
  ].join("\n");
}

function nested(type: Type): string[] {
  const attributes = objectFields(type) ?? {};
  const items = Object.entries(attributes).map(([key, each]) =>
    attributeItem(key, each, { attributes }),
  );
  return items.length === 0 ? [] : [bullets(items)];
}

import type { FunctionDeclaration, Parameter } from "./function";
import { attributeItem, objectFields, ruleDocs, typeName, values } from "./reference-attribute";
import type { Type } from "./type";
import { wireName } from "./wire-name";

/** The anchor that GitHub generates for the heading of a function. */
export const functionAnchor = (name: string): string => `function-${name}`;

/** The section of a function on the reference page. */
export function functionSection(provider: string, declaration: FunctionDeclaration): string[] {
  const { name, doc, deprecated, example, parameters, returns } = declaration;
  const items = Object.entries(parameters).map(([key, each]) => parameterItem(key, each));
  const result = `- ${typeName(returns)}`;
  return [
    `## Function \`${name}\``,
    doc,
    deprecated === undefined ? "" : `**Deprecated**: ${deprecated}`,
    ["```hcl", signature(provider, declaration), "```"].join("\n"),
    ...(items.length === 0 ? [] : [`### Arguments of \`${name}\``, items.join("\n")]),
    `### Result of \`${name}\``,
    [result, ...nested(returns)].join("\n"),
    ...(example === undefined ? [] : [["```hcl", example, "```"].join("\n")]),
  ];
}

function signature(provider: string, { name, parameters }: FunctionDeclaration): string {
  const given = Object.entries(parameters).map(([key, each]) =>
    each.isVariadic ? `${wireName(key, each)}...` : wireName(key, each),
  );
  return `provider::${provider}::${name}(${given.join(", ")})`;
}

function parameterItem(key: string, parameter: Parameter): string {
  const { type, doc, allowNull, allowUnknown, isVariadic } = parameter;
  const facts = [
    typeName(type),
    isVariadic ? "any number of arguments" : "",
    allowNull === true ? "may be null" : "",
    allowUnknown === true ? "may be known only after apply" : "",
  ].filter((fact) => fact !== "");
  const rules = [...values(type), ...ruleDocs(type)].map((line) => `  - ${line}`);
  return [
    `- **\`${wireName(key, parameter)}\`**, ${facts.join(", ")}: ${doc}`,
    ...rules,
    ...nested(type),
  ].join("\n");
}

/** The attributes of an object, indented below it. */
const nested = (type: Type): string[] =>
  Object.entries(objectFields(type) ?? {}).map(([key, each]) =>
    attributeItem(key, each).replaceAll(/^/gm, "  "),
  );

import type { Attribute, Attributes } from "./attribute";
import type { Type } from "./type";
import type { ValueRule } from "./value-rule";
import { wireName } from "./wire-name";

/** One attribute as an item of a list, with its rules below it. */
export function attributeItem(name: string, attribute: Attribute): string {
  const { type, doc, env = [], deprecated } = attribute;
  const lines = [
    ...values(type),
    ...ruleDocs(type),
    ...environment(env),
    ...(deprecated === undefined ? [] : [`**deprecated**: ${deprecated}`]),
  ].map((line) => `  - ${line}`);
  const nested = objectFields(type);
  const below =
    nested === undefined
      ? []
      : Object.entries(nested).map(([key, each]) => attributeItem(key, each));
  return [
    `- ${names(name, attribute)}, ${facts(attribute).join(", ")}: ${doc}`,
    ...lines,
    ...below.map((text) => text.replaceAll(/^/gm, "  ")),
  ].join("\n");
}

function names(name: string, given: Attribute): string {
  const wire = wireName(name, given);
  return wire === name ? `**\`${name}\`**` : `**\`${name}\`** (\`${wire}\`)`;
}

function environment(variables: readonly string[]): string[] {
  if (variables.length === 0) return [];
  const from =
    variables.length === 1
      ? `the environment variable ${codes(variables)}`
      : `the first of ${codes(variables)} that is set in the environment`;
  return [`default: ${from}`];
}

function facts({
  presence,
  type,
  default: value,
  requiresReplace,
  useStateForUnknown,
  sensitive,
}: Attribute): string[] {
  const given = {
    required: "**required**",
    optional: "optional",
    optionalComputed: value === undefined ? "optional, otherwise set by the provider" : "optional",
    computed: "",
  };
  return [
    typeName(type),
    given[presence],
    value === undefined ? "" : `default \`${JSON.stringify(value)}\``,
    useStateForUnknown === true ? "kept while the resource is updated" : "",
    requiresReplace === true ? "**a change replaces the resource**" : "",
    sensitive === true ? "sensitive" : "",
  ].filter((fact) => fact !== "");
}

/** The type in words. */
export function typeName(type: Type): string {
  switch (type.kind) {
    case "integer":
      return "integer";
    case "bool":
      return "boolean";
    case "dynamic":
      return "any type";
    case "list":
    case "set":
    case "map":
      return `${type.kind} of ${plural(typeName(type.of))}`;
    default:
      return type.kind;
  }
}

const plural = (name: string): string =>
  name === "any type" ? "any type" : name.replace(/^\w+/, "$&s");

const codes = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");

/** The allowed values of a string, as lines of documentation. */
export function values(type: Type): string[] {
  if (type.kind === "string" && type.values !== undefined) return [`one of ${codes(type.values)}`];
  return "of" in type ? values(type.of).map((line) => `each ${line}`) : [];
}

/** The rules of a type, as lines of documentation. */
export function ruleDocs(type: Type): string[] {
  const own = type.rule?.doc.map((text) => withSeverity(text, type.rule)) ?? [];
  return "of" in type ? [...own, ...ruleDocs(type.of).map((text) => `each ${text}`)] : own;
}

/** A rule's message, with what a reader must know if it is only a warning. */
export const withSeverity = (
  text: string,
  rule: Pick<ValueRule, "severity"> | undefined,
): string => (rule?.severity === "warning" ? `${text} (a warning)` : text);

/** The attributes of an object, or of the objects in a collection. */
export function objectFields(type: Type): Attributes | undefined {
  if (type.kind === "object") return type.fields.attributes;
  return "of" in type ? objectFields(type.of) : undefined;
}

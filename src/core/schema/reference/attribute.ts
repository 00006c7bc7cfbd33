import {
  type Attribute,
  type Attributes,
  camelCase,
  type Fields,
  wireName,
  wireNames,
} from "../attribute";
import { type Text, textFor } from "../resource-rule";
import type { Type } from "../type";
import type { ValueRule } from "../value-rule";
import { codes, escapeHtml } from "./markdown";

/**
 * Writes an attribute as an item of a list: its name, type, meaning and rules.
 *
 * @param fields the declaration, block or object that has the attribute
 * @param nestedAnchor the section about the objects in its type, if any
 */
export function attributeItem(
  name: string,
  attribute: Attribute,
  fields: Fields,
  nestedAnchor?: string,
): string {
  const { type, doc, sensitive, writeOnly, deprecated } = attribute;
  const words = [
    typeName(type),
    ...(sensitive === true ? ["Sensitive"] : []),
    ...(writeOnly === true ? ["Write-only"] : []),
    ...(deprecated === undefined ? [] : ["Deprecated"]),
  ];
  const line = [
    `\`${wireName(name, attribute)}\` (${words.join(", ")})`,
    doc,
    ...facts(name, attribute, fields),
    ...(nestedAnchor === undefined || objectFields(type) === undefined
      ? []
      : [seeNested(nestedAnchor)]),
  ].join(" ");
  const details = [...values(type), ...ruleDocs(type)];
  return [escapeHtml(line), ...details.map((text) => `  - ${escapeHtml(text)}`)].join("\n");
}

const asWritten = ({ kind }: Type, value: unknown): string =>
  kind === "decimal" || typeof value === "bigint" ? String(value) : JSON.stringify(value);

/** Returns the facts about an attribute that its documentation does not repeat, as sentences. */
function facts(name: string, attribute: Attribute, fields: Fields): string[] {
  const {
    type,
    default: value,
    requiresReplace,
    useStateForUnknown,
    deprecated,
    env = [],
  } = attribute;
  return [
    ...(value === undefined ? [] : [`Default: \`${asWritten(type, value)}\`.`]),
    ...environment(env),
    ...(requiresReplace === true ? ["**A change replaces the resource.**"] : []),
    ...(useStateForUnknown === true ? ["An update keeps it."] : []),
    ...deprecation(deprecated, fields),
    ...typeScriptName(name, attribute),
  ];
}

/** Writes why something is deprecated. */
export const deprecation = (text: Text | undefined, fields: Fields): string[] =>
  text === undefined ? [] : [`**Deprecated:** ${textFor(text, wireNames(fields))}.`];

function environment(variables: readonly string[]): string[] {
  if (variables.length === 0) return [];
  return variables.length === 1
    ? [`Can also be set with the environment variable ${codes(variables)}.`]
    : [
        `Can also be set with the first of these environment variables that is set: ${codes(variables)}.`,
      ];
}

/** Returns the name in TypeScript, if it is not Terraform's name in camelCase. */
export function typeScriptName(
  name: string,
  given: { readonly wire?: string | undefined },
): string[] {
  return camelCase(wireName(name, given)) === name ? [] : [`In TypeScript: \`${name}\`.`];
}

/** Links to the section about the content of an attribute or a block. */
export const seeNested = (anchor: string): string => `(see [below for nested schema](#${anchor}))`;

export function objectFields(type: Type): Attributes | undefined {
  if (type.kind === "object") return type.fields.attributes;
  return "of" in type ? objectFields(type.of) : undefined;
}

export function typeName(type: Type): string {
  switch (type.kind) {
    case "bool":
      return "Boolean";
    case "dynamic":
      return "Any type";
    case "int64":
      return "64-bit integer";
    case "number":
    case "integer":
      return type.bits === 32 ? `32-bit ${type.kind}` : capital(type.kind);
    case "list":
    case "set":
    case "map":
      return `${capital(type.kind)} of ${typeName(type.of)}${type.of.nullable === true ? " or null" : ""}`;
    default:
      return capital(type.kind);
  }
}

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

export function values(type: Type): string[] {
  if (type.kind === "string" && type.values !== undefined) return [`one of ${codes(type.values)}`];
  return "of" in type ? values(type.of).map((line) => `each ${line}`) : [];
}

export function ruleDocs(type: Type): string[] {
  const own = type.rule?.doc.map((text) => withSeverity(text, type.rule)) ?? [];
  return "of" in type ? [...own, ...ruleDocs(type.of).map((text) => `each ${text}`)] : own;
}

/** A rule's text, marked if breaking the rule only warns. */
export const withSeverity = (
  text: string,
  rule: Pick<ValueRule, "severity" | "warning"> | undefined,
): string => {
  if (rule?.severity !== "warning") return text;
  return `${text} (a warning${rule.warning === undefined ? "" : `, \`${rule.warning}\``})`;
};

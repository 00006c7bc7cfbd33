import { parseExpression } from "../expression/parse";
import type { Expression } from "../expression/syntax";
import { EvaluationError } from "../expression/value";
import { type BodyItem, itemsIn } from "../../core/hcl/configuration-blocks";
import { withEscapedTemplates, codeOf } from "../../core/hcl/template-sequences";
import { ownValue, type Properties, propertiesOf } from "../../core/json/plain-json";
import { bodies, merged } from "./body";
import { plainValue } from "./plan-json";

/** The number of labels of each block. Other blocks have none. */
const labelCounts: Readonly<Record<string, number>> = {
  resource: 2,
  data: 2,
  ephemeral: 2,
  action: 2,
  variable: 1,
  output: 1,
  module: 1,
  provider: 1,
  check: 1,
};

/** Arguments that are references or types instead of expressions. JSON has them without braces. */
const bareArguments: Readonly<Record<string, readonly string[]>> = {
  resource: ["depends_on", "provider"],
  data: ["depends_on", "provider"],
  ephemeral: ["depends_on", "provider"],
  module: ["depends_on", "providers"],
  output: ["depends_on"],
  variable: ["type"],
  moved: ["from", "to"],
  removed: ["from"],
  import: ["to", "provider"],
  lifecycle: ["ignore_changes", "replace_triggered_by"],
  dynamic: ["iterator"],
};

/** Checks for an argument whose strings Terraform reads literally in JSON, instead of as templates. */
const isLiteral = (block: string, name: string): boolean =>
  block === "variable" && name !== "type" && name !== "validation";

/** Converts a file in native syntax to Terraform's JSON syntax. Errors in expressions are left for the evaluation. */
export function jsonOfNative(text: string): Properties {
  const code = codeOf(text, "body");
  return bodyOf(text, code, "", itemsIn(text, code));
}

/** Reads a file of variables in native syntax. Values that are not literal are left out. */
export function variablesOfNative(text: string): Properties {
  const found = itemsIn(text, codeOf(text, "body")).flatMap(({ kind, name, start, end }) => {
    const value = kind === "argument" ? literalIn(text.slice(start, end)) : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}

function bodyOf(text: string, code: string, block: string, items: readonly BodyItem[]): Properties {
  let body: Properties = {};
  for (const { kind, name, labels, start, end } of items) {
    if (kind === "argument") {
      body = { ...body, [name]: argument(text.slice(start, end), block, name) };
      continue;
    }
    const inner = bodyOf(text, code, name, itemsIn(text, code, start, end));
    let written: unknown = inner;
    for (const label of labels.toReversed()) written = { [label]: written };
    body = { ...body, [name]: joined(body[name], written, labels.length) };
  }
  return body;
}

function argument(source: string, block: string, name: string): unknown {
  if (bareArguments[block]?.includes(name) === true) return bareValue(source);
  const literal = literalIn(source);
  if (isLiteral(block, name)) return literal;
  // The line break ends a heredoc.
  return literal === undefined ? `\${${source.trim()}\n}` : withEscapedTemplates(literal);
}

function bareValue(source: string): unknown {
  const literal = literalIn(source);
  if (typeof literal === "string") return literal;
  const [, list] = /^\s*\[([^]*)\]\s*$/.exec(source) ?? [];
  if (list === undefined) return codeOnly(source);
  const code = codeOf(list, "body");
  const commas = [...code.matchAll(/,/g)].map(({ index }) => index);
  return [...commas, list.length]
    .map((end, at) => codeOnly(list.slice(at === 0 ? 0 : (commas[at - 1] ?? 0) + 1, end)))
    .filter((each) => each !== "");
}

/** Removes comments, but not from strings. */
export const codeOnly = (source: string): string =>
  source
    .replaceAll(/"(?:[^"\\]|\\.)*"|#.*|\/\/.*|\/\*[^]*?\*\//g, (found) =>
      found.startsWith('"') ? found : "",
    )
    .trim();

function literalIn(source: string): unknown {
  try {
    return literalOf(parseExpression(source));
  } catch (error) {
    if (error instanceof EvaluationError) return undefined;
    throw error;
  }
}

/** Returns the plain value of an expression that needs no evaluation; undefined for any other. */
export function literalOf(expression: Expression): unknown {
  switch (expression.kind) {
    case "literal":
      return plainValue(expression.value);
    case "template":
      return allOf(expression.parts.map(literalText))?.join("");
    case "tuple":
      return allOf(expression.elements.map(literalOf));
    case "object": {
      const members = allOf(expression.members.map((member) => allOf(member.map(literalOf))));
      return members && Object.fromEntries(members);
    }
    case "unary": {
      const of = literalOf(expression.of);
      return typeof of === "number" && expression.operator === "-" ? -of : undefined;
    }
    default:
      return undefined;
  }
}

/** The text of a part of a template. Null has none. */
function literalText(part: Expression): string | undefined {
  const found = literalOf(part);
  const hasText = typeof found === "number" || typeof found === "boolean";
  return typeof found === "string" || hasText ? String(found) : undefined;
}

const allOf = <T>(parts: readonly (T | undefined)[]): T[] | undefined =>
  parts.every((each) => each !== undefined) ? (parts as T[]) : undefined;

/**
 * Joins the files of a stack, in Terraform's JSON syntax. A block with labels, such as a resource, is one body, to which
 * later files such as `override.tf` can add arguments. Blocks without labels and providers are lists.
 */
export function joinedFiles(files: readonly Properties[]): Properties {
  const content: Record<string, unknown> = {};
  for (const [section, written] of files.flatMap((each) => Object.entries(each))) {
    content[section] =
      section === "//"
        ? (content[section] ?? written)
        : joined(content[section], written, labelCounts[section] ?? 0, isOneBody(section));
  }
  return content;
}

const isOneBody = (section: string): boolean =>
  section === "locals" || (section in labelCounts && section !== "provider");

function joined(known: unknown, added: unknown, labelCount: number, isOne = false): unknown {
  if (labelCount === 0) {
    const all = [...bodies(known), ...bodies(added)];
    return isOne ? merged(all) : all;
  }
  const result: Record<string, unknown> = { ...propertiesOf(known) };
  for (const [label, body] of bodies(added).flatMap((each) => Object.entries(each))) {
    result[label] = joined(ownValue(result, label), body, labelCount - 1, isOne);
  }
  return result;
}

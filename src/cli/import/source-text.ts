import { isObject, type Properties } from "../../core/json/plain-json";
import type { SchemaBlock } from "../../core/provider-kit/core";
import { printableJson, printableLine } from "../../core/redaction/printable";
import { evaluate, type Scope } from "../../planner/expression/evaluate";
import { EvaluationError, type Value } from "../../planner/expression/value";
import { evaluateBody, expressionOf } from "../../planner/offline-plan/body";

// Formats code as Prettier does by default, for those who use it. It is judged by Prettier itself in the tests.
// Names, texts and IDs come from a service: each of them reaches the code through one of the functions below.

/** A value as it is written in TypeScript. */
export type Code =
  | { readonly kind: "text"; readonly text: string; readonly isString?: boolean }
  | { readonly kind: "array"; readonly elements: readonly Code[] }
  | { readonly kind: "object"; readonly members: readonly (readonly [string, Code])[] };

const width = 80;

/** Formats a string, with the quotes that need fewer escapes. */
export function quoted(text: string): string {
  const json = printableJson(text);
  const double = text.split('"').length;
  const single = text.split("'").length;
  if (double <= single) return json;
  return `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** A string that Terraform reads as this very text: in a configuration, strings are templates. */
const literal = (text: string): string => quoted(escapedTemplate(text));

export const stringCode = (text: string): Code => ({
  kind: "text",
  text: literal(text),
  isString: true,
});

function keyText(name: string): string {
  // Without brackets, this would set the prototype.
  if (name === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
}

/** Formats a comment, on a line of its own. */
export const commentText = (text: string): string => `// ${printableLine(text)}`;

/** Returns a value in one line; undefined if it needs several. */
function flat(code: Code): string | undefined {
  if (code.kind === "text") return code.text;
  if (code.kind === "object") return code.members.length === 0 ? "{}" : undefined;
  const elements = code.elements.map(flat);
  return elements.includes(undefined) ? undefined : `[${elements.join(", ")}]`;
}

/**
 * Formats a value.
 *
 * @param indent the indentation of the line on which it begins
 * @param before the number of characters before it on that line, and after it on its last one
 */
function formatted(code: Code, indent: string, before: number): string {
  const line = flat(code);
  if (line !== undefined && (code.kind === "text" || before + line.length <= width)) return line;
  if (code.kind === "text") return code.text;
  const inner = `${indent}  `;
  if (code.kind === "object") return `{\n${membersText(code.members, inner)}${indent}}`;
  const isNumbers = code.elements.every((each) => /^-?[\d.]+$/.test(flat(each) ?? ""));
  const lines = isNumbers
    ? filled(
        code.elements.map((each) => `${flat(each) ?? ""},`),
        inner,
      )
    : code.elements.map((each) => `${inner}${formatted(each, inner, inner.length + 1)},`);
  return `[\n${lines.join("\n")}\n${indent}]`;
}

/** Fills lines with numbers. */
function filled(words: readonly string[], indent: string): readonly string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(`${indent}${word}`);
  }
  return lines;
}

/** Formats the members of an object, each with its comma and the end of its line. */
function membersText(members: readonly (readonly [string, Code])[], indent: string): string {
  return members.map(([name, value]) => memberText(name, value, indent)).join("");
}

function memberText(name: string, value: Code, indent: string): string {
  const head = `${indent}${keyText(name)}:`;
  const text = formatted(value, indent, head.length + 2);
  const isLong =
    value.kind === "text" && value.isString === true && head.length + text.length + 2 > width;
  return isLong ? `${head}\n${indent}  ${text},\n` : `${head} ${text},\n`;
}

/** The parts of a statement that creates a construct for an existing resource. */
interface NewConstruct {
  readonly className: string;
  readonly id: string;
  readonly members: readonly (readonly [string, Code])[];
  readonly importId: string;
}

/** Formats `new Class(scope, "id", { … }).importFrom("…");`, indented by two spaces. */
export function constructText({ className, id, members, importId }: NewConstruct): string {
  const head = `  new ${className}(scope, ${quoted(id)}, {`;
  const isShort = head.length <= width;
  const inner = isShort ? "    " : "      ";
  const body = `{\n${membersText(members, inner)}${inner.slice(2)}}`;
  const made = isShort
    ? `${head.slice(0, -1)}${body})`
    : `  new ${className}(\n    scope,\n    ${quoted(id)},\n    ${body},\n  )`;
  const from = literal(importId);
  const end = `.importFrom(${from});`;
  const isFitting = "  })".length + end.length - (isShort ? 0 : 1) <= width;
  return isFitting ? `${made}${end}\n` : `${made}.importFrom(\n    ${from},\n  );\n`;
}

/** Strings without expressions refer to nothing. */
const nothing: Scope = {
  variable: () => undefined,
  call: (name) => {
    throw new EvaluationError(`There is no function "${name}".`);
  },
};

/**
 * Converts plain values to the body of a block. Their strings are no templates.
 *
 * @param values by Terraform's names
 * @throws AttributeError when a name is not in the schema, or a value does not suit it
 */
export const plainBody = (schema: SchemaBlock, values: Properties): Value =>
  evaluateBody(schema, withoutTemplates(values) as Properties, nothing);

function withoutTemplates(value: unknown): unknown {
  if (typeof value === "string") return escapedTemplate(value);
  if (Array.isArray(value)) return value.map(withoutTemplates);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [escapedTemplate(name), withoutTemplates(part)]),
  );
}

/** Returns the text of a template that refers to nothing; undefined for anything else. */
export function literalText(json: unknown): string | undefined {
  try {
    const { content } = evaluate(expressionOf(json), nothing);
    return typeof content === "string" ? content : undefined;
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return undefined;
  }
}

/** Returns the template whose value is a string: in a configuration, strings are templates. */
const escapedTemplate = (text: string): string =>
  text.replaceAll("${", "$$${").replaceAll("%{", "%%{");

import { escapedTemplate, withEscapedTemplates } from "../../core/hcl/template-sequences";
import type { Properties } from "../../core/json/plain-json";
import type { SchemaBlock } from "../../core/provider-kit/core";
import { printable, printableJson, printableLine } from "../../core/redaction/printable";
import { evaluate, type Scope } from "../../planner/expression/evaluate";
import { EvaluationError, type Value } from "../../planner/expression/value";
import { evaluateBody, expressionOf } from "../../planner/offline-plan/body";

// Formats code like Prettier with its defaults, which judges it in the tests. Names, texts and IDs come from a service, so
// all of them reach the code through the functions below.

interface Commented {
  readonly comments?: readonly string[];
}

interface TextCode extends Commented {
  readonly kind: "text";
  readonly text: string;
  readonly isString?: boolean;
  /** The value, if it is known without Terraform. */
  readonly literal?: string | number | boolean;
}

export type Code =
  | TextCode
  | (Commented & { readonly kind: "call"; readonly callee: string; readonly argument: Code })
  | (Commented & { readonly kind: "array"; readonly elements: readonly Code[] })
  | (Commented & { readonly kind: "object"; readonly members: readonly Member[] });

export type Member = readonly [name: string, value: Code];

const width = 80;

/** Formats a string with the quotes that need fewer escapes. */
export function quoted(text: string): string {
  const json = printableJson(text);
  const double = text.split('"').length;
  const single = text.split("'").length;
  if (double <= single) return json;
  return `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** A string that Terraform reads literally, although strings are templates in a configuration. */
const literal = (text: string): string => quoted(escapedTemplate(text));

export const stringCode = (text: string): Code => ({
  kind: "text",
  text: literal(text),
  isString: true,
});

/** A string that Terraform reads as a template. Line breaks are kept. */
export const templateCode = (text: string): TextCode =>
  /\n./.test(text) && printable(text) === text
    ? { kind: "text", text: `\`${text.replaceAll(/[\\`]|\$(?=\{)/g, "\\$&")}\`` }
    : { kind: "text", text: quoted(text), isString: true };

export const textCode = (text: string): TextCode => ({ kind: "text", text });

function keyText(name: string): string {
  // Without brackets, it would set the prototype.
  if (name === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
}

export const commentText = (text: string): string => `// ${printableLine(text)}`;

/** Formats a value on one line; undefined if it needs several. */
function flat(code: Code): string | undefined {
  switch (code.kind) {
    case "text":
      return code.text.includes("\n") ? undefined : code.text;
    case "object":
      return code.members.length === 0 ? "{}" : undefined;
    case "call": {
      const argument = flat(code.argument);
      return argument && `${code.callee}(${argument})`;
    }
    case "array": {
      const elements = code.elements.map((each) => (each.comments ? undefined : flat(each)));
      return elements.includes(undefined) ? undefined : `[${elements.join(", ")}]`;
    }
  }
}

/**
 * Formats a value.
 *
 * @param indent the indentation of its first line
 * @param before the number of characters before it on its first line and after it on its last
 */
function formatted(code: Code, indent: string, before: number): string {
  const line = flat(code);
  if (code.kind === "text") return code.text;
  if (line !== undefined && before + line.length <= width) return line;
  const inner = `${indent}  `;
  if (code.kind === "object") return `{\n${membersText(code.members, inner)}${indent}}`;
  if (code.kind === "call") {
    const { callee, argument } = code;
    return line === undefined
      ? `${callee}(${formatted(argument, indent, before)})`
      : `${callee}(\n${inner}${formatted(argument, inner, inner.length + 1)},\n${indent})`;
  }
  const isNumbers = code.elements.every((each) => /^-?[\d.]+$/.test(flat(each) ?? ""));
  const lines = isNumbers
    ? filled(
        code.elements.map((each) => `${flat(each) ?? ""},`),
        inner,
      )
    : code.elements.map((each) => elementText(each, inner));
  return `[\n${lines.join("\n")}\n${indent}]`;
}

const elementText = (each: Code, indent: string): string =>
  `${commentLines(each, indent)}${indent}${formatted(each, indent, indent.length + 1)},`;

const commentLines = ({ comments = [] }: Code, indent: string): string =>
  comments.map((line) => `${indent}${line}\n`).join("");

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

function membersText(members: readonly Member[], indent: string): string {
  return members.map(([name, value]) => memberText(name, value, indent)).join("");
}

function memberText(name: string, value: Code, indent: string): string {
  const key = keyText(name);
  const head = `${indent}${key}:`;
  const text = formatted(value, indent, head.length + 2);
  // Prettier does not break after a shorter key.
  const isBreakable = key.length > 4 && value.kind === "text" && value.isString === true;
  const isLong = isBreakable && head.length + text.length + 2 > width;
  const written = isLong ? `${head}\n${indent}  ${text},\n` : `${head} ${text},\n`;
  return `${commentLines(value, indent)}${written}`;
}

/** Formats a call, such as `new Class(scope, "id", { … })`, whose last argument can need several lines. */
export function callText(callee: string, args: readonly Code[], indent: string): string {
  const all = args.map(flat);
  const line = `${indent}${callee}(${all.join(", ")});`;
  if (!all.includes(undefined) && line.length <= width) return line.slice(indent.length, -1);
  const last = args.at(-1);
  const head = `${callee}(${all.slice(0, -1).join(", ")}, `.replace("(, ", "(");
  if ((last?.kind === "object" || last?.kind === "array") && fits(`${indent}${head}[`)) {
    return `${head}${formatted(last, indent, width)})`;
  }
  const inner = `${indent}  `;
  return `${callee}(\n${args.map((each) => `${elementText(each, inner)}\n`).join("")}${indent})`;
}

const fits = (line: string): boolean => line.length <= width;

/** Formats `new Class(scope, "id", { … }).importFrom("…");`, indented by two spaces. */
export function constructText(
  className: string,
  id: string,
  members: readonly Member[],
  importId: string,
): string {
  const args: readonly Code[] = [
    textCode("scope"),
    textCode(quoted(id)),
    { kind: "object", members },
  ];
  const made = `  ${callText(`new ${className}`, args, "  ")}`;
  const from = literal(importId);
  const end = `.importFrom(${from});`;
  const last = made.slice(made.lastIndexOf("\n") + 1);
  return fits(`${last}${end}`) ? `${made}${end}\n` : `${made}.importFrom(\n    ${from},\n  );\n`;
}

/** The scope of strings without references. */
const nothing: Scope = {
  variable: () => undefined,
  call: (name) => {
    throw new EvaluationError(`There is no function "${name}".`);
  },
};

/**
 * Converts plain values to the body of a block. Strings are literal.
 *
 * @param values by Terraform's names
 * @throws EvaluationError when a name is not in the schema, or a value is not valid for it
 */
export const plainBody = (schema: SchemaBlock, values: Properties): Value =>
  evaluateBody(schema, withEscapedTemplates(values) as Properties, nothing);

/** Returns the text of a template without references; undefined for anything else. */
export function literalText(json: unknown): string | undefined {
  try {
    const { content } = evaluate(expressionOf(json), nothing);
    return typeof content === "string" ? content : undefined;
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return undefined;
  }
}

import { type Expression, chainOf, type Link } from "../../planner/expression/syntax";
import { literalOf } from "../../planner/offline-plan/native-syntax";
import { escapedTemplate } from "../../core/hcl/template-sequences";
import { printable } from "../../core/redaction/printable";
import { type Type, UNKNOWN, wireName } from "../../core/schema";
import { type Code, type Member, quoted, templateCode, textCode } from "../import/source-text";
import { failures } from "../../core/failure/failure";
import { commentsIn, type SourceExpression } from "./configuration";

const [create, isUnconvertible] = failures<"UNCONVERTIBLE">("Unconvertible");
export { isUnconvertible };

/** Thrown for a part of a configuration without an equivalent construct, which stays in HCL. */
export const unconvertible = (reason: string) => create("UNCONVERTIBLE", reason);

export const noValue: Code = textCode("null");

/** Returns the value of code, with {@link UNKNOWN} for expressions. */
export function valueOf(code: Code): unknown {
  switch (code.kind) {
    case "text":
      return code === noValue ? null : (code.literal ?? UNKNOWN);
    case "call":
      return UNKNOWN;
    case "array":
      return code.elements.map(valueOf);
    case "object":
      return Object.fromEntries(code.members.map(([name, each]) => [name, valueOf(each)]));
  }
}

/** Resolves the references of a configuration. */
export interface References {
  /** Returns the property that equals a reference, if its type is suitable. */
  property(
    address: string,
    index: unknown,
    attribute: string,
    type: Type | undefined,
  ): Code | undefined;
  renamed(expression: string): string;
}

export const commented = <T extends Code>(code: T, comments: readonly string[]): T =>
  comments.length === 0 ? code : { ...code, comments: comments.map(commentLine) };

export const commentLine = (line: string): string => printable(`//${line}`).replaceAll("\n", " ");

/** The values of an enum in the construct, by those in the configuration. */
type Enum = ReadonlyMap<string, string>;

/** Converts an expression to TypeScript: to values if it is literal, else to a template for Terraform. */
export class ExpressionCode {
  constructor(
    readonly source: SourceExpression,
    readonly references: References,
  ) {}

  /**
   * @param type undefined for any type
   * @param isTemplate false where Terraform's JSON reads strings literally
   */
  code(type: Type | undefined, values?: Enum, isTemplate = true): Code {
    return this.#code(this.source.parsed, type, values, isTemplate);
  }

  template(): string {
    return this.#template(this.source.parsed);
  }

  /** The whole expression, in `${…}`. */
  expression(): string {
    return this.#sequence(this.source.parsed);
  }

  #code(expression: Expression, type: Type | undefined, values?: Enum, isTemplate = true): Code {
    const literal = primitiveOf(expression);
    if (literal === null) return noValue;
    if (literal !== undefined) return literalCode(literal, type, values, isTemplate);
    const kind = type?.kind ?? "dynamic";
    if (expression.kind === "tuple" && /^(?:dynamic|list|set)$/.test(kind)) {
      const of = type !== undefined && "of" in type ? type.of : undefined;
      const comments = this.#commentsOf(expression, expression.elements);
      const elements = expression.elements.map((each, at) =>
        commented(this.#code(each, of, undefined, isTemplate), comments[at] ?? []),
      );
      return { kind: "array", elements };
    }
    if (expression.kind === "object" && /^(?:dynamic|map|object)$/.test(kind)) {
      const members = this.#members(expression, type, isTemplate);
      if (members !== undefined) return { kind: "object", members };
    }
    return this.#property(expression, type) ?? wrapped(this.#template(expression), type);
  }

  #members(
    expression: Extract<Expression, { readonly kind: "object" }>,
    type: Type | undefined,
    isTemplate: boolean,
  ): readonly Member[] | undefined {
    const members: Member[] = [];
    const comments = this.#commentsOf(
      expression,
      expression.members.map(([, value]) => value),
    );
    for (const [at, [key, value]] of expression.members.entries()) {
      const name = primitiveOf(key);
      if (typeof name !== "string" && typeof name !== "number") return undefined;
      const [property, of] = memberOf(type, String(name));
      const code = this.#code(value, of, undefined, isTemplate);
      members.push([property, commented(code, comments[at] ?? [])]);
    }
    return members;
  }

  /** The comments above each part of a collection. The last part also gets the comments after it. */
  #commentsOf(
    collection: Expression,
    parts: readonly Expression[],
  ): readonly (readonly string[])[] {
    const { text, spans } = this.source;
    const whole = spans.get(collection);
    if (whole === undefined) return [];
    let from = whole.start;
    return parts.map((part, at) => {
      const { start, end } = spans.get(part) ?? { start: from, end: from };
      const above = commentsIn(text.slice(from, start));
      from = end;
      const isLast = at === parts.length - 1;
      return isLast ? [...above, ...commentsIn(text.slice(end, whole.end))] : above;
    });
  }

  #property(expression: Expression, type: Type | undefined): Code | undefined {
    const reference = referenceOf(expression);
    if (reference === undefined) return undefined;
    const { address, index, attribute } = reference;
    return this.references.property(address, index, attribute, type);
  }

  #template(expression: Expression): string {
    if (expression.kind !== "template") return this.#sequence(expression);
    const parts = expression.parts.map((part) => {
      if (this.source.spans.has(part)) return this.#sequence(part);
      const text = primitiveOf(part);
      return typeof text === "string" ? escapedTemplate(text) : undefined;
    });
    return parts.includes(undefined) ? this.#sequence(expression) : parts.join("");
  }

  #sequence(expression: Expression): string {
    const { text, spans } = this.source;
    const { start, end } = spans.get(expression) ?? { start: 0, end: text.length };
    const source = this.references.renamed(text.slice(start, end).trim());
    // A line break ends a heredoc or a comment.
    const isOneLine = !/<<|#|\/\//.test(source.replaceAll(/"(?:[^"\\]|\\.)*"/g, ""));
    return `\${${source}${isOneLine ? "" : "\n"}}`;
  }
}

/** Reads an expression that only refers to an attribute of a resource or data source. */
function referenceOf(expression: Expression) {
  const { start, links } = chainOf(expression);
  if (start.kind !== "variable") return undefined;
  const names = [start.name];
  const rest: Link[] = [...links];
  for (const wanted of start.name === "data" ? [2, 3] : [2]) {
    if (names.length >= wanted) continue;
    const link = rest.shift();
    if (link?.kind !== "attribute") return undefined;
    names.push(link.name);
  }
  const [first] = rest;
  const key = first?.kind === "index" ? primitiveOf(first.key) : undefined;
  if (key !== undefined) rest.shift();
  const [attribute, more] = rest;
  if (attribute?.kind !== "attribute" || more !== undefined) return undefined;
  return { address: names.join("."), index: key, attribute: attribute.name };
}

/** The value of a literal expression that is not a collection; undefined for any other. */
function primitiveOf(expression: Expression): string | number | boolean | null | undefined {
  const value = literalOf(expression);
  return typeof value === "object" && value !== null ? undefined : (value as string);
}

/** Terraform converts strings, numbers and booleans to each other. */
function literalCode(
  value: string | number | boolean,
  type: Type | undefined,
  values: Enum | undefined,
  isTemplate: boolean,
): Code {
  switch (type?.kind) {
    case "string":
    case "decimal": {
      const text = values?.get(String(value)) ?? String(value);
      const allowed = "values" in type ? type.values : undefined;
      if (allowed?.includes(text) === false) {
        throw unconvertible(`${quoted(text)} must be one of ${allowed.join(", ")}`);
      }
      return { ...templateCode(escapedTemplate(text)), literal: text };
    }
    case "number":
    case "integer":
    case "int64": {
      const number = Number(value);
      if (Number.isNaN(number)) throw unconvertible(`${quoted(String(value))} is not a number`);
      return { ...textCode(String(number)), literal: number };
    }
    case "bool":
      if (!/^(?:true|false)$/.test(String(value))) {
        throw unconvertible(`${quoted(String(value))} is neither true nor false`);
      }
      return { ...textCode(String(value)), literal: String(value) === "true" };
    default: {
      const text = String(value);
      if (typeof value !== "string") return { ...textCode(text), literal: value };
      return { ...templateCode(isTemplate ? escapedTemplate(text) : text), literal: text };
    }
  }
}

function wrapped(template: string, type: Type | undefined): Code {
  const argument = templateCode(template);
  const callee = tokenOf(type);
  return callee === undefined ? argument : { kind: "call", callee: `Token.${callee}`, argument };
}

function tokenOf(type: Type | undefined): string | undefined {
  switch (type?.kind) {
    case undefined:
    case "dynamic":
    case "decimal":
      return undefined;
    case "string":
      return type.values === undefined ? undefined : "asAny";
    case "number":
    case "integer":
    case "int64":
      return "asNumber";
    case "map":
      return type.of.kind === "string" ? "asStringMap" : "asAny";
    case "list":
    case "set":
      return type.of.kind === "string" ? "asList" : "asAny";
    default:
      return "asAny";
  }
}

/** Finds an attribute or block by its name in Terraform, with the name of its property. */
export function named<T extends { readonly wire?: string | undefined }>(
  all: Readonly<Record<string, T>>,
  wire: string,
): readonly [string, T] | undefined {
  return Object.entries(all).find(([name, each]) => wireName(name, each) === wire);
}

function memberOf(type: Type | undefined, name: string): readonly [string, Type | undefined] {
  if (type?.kind === "map") return [name, type.of];
  if (type?.kind !== "object") return [name, undefined];
  const found = named(type.fields.attributes, name);
  if (found === undefined) throw unconvertible(`the construct has no ${quoted(name)}`);
  return [found[0], found[1].type];
}

import { isObject } from "../json/plain-json";

/** A Terraform expression without its strings and comments. */
export interface Expression {
  /** Strings and heredocs are replaced with `""`, comments with a space. */
  readonly code: string;
  /** The string that contains the expression; undefined if it is not inside another expression. */
  readonly within: Position | undefined;
}

/** The position of a string in the code of an expression. */
export interface Position {
  readonly expression: Expression;
  /** The index of the string's `""`. */
  readonly at: number;
}

/** An interpolation `${…}` or a directive `%{…}`; the HCL specification calls both template sequences. */
interface TemplateSequence extends Expression {
  readonly start: number;
  /** The index after its last brace; the end of the template if it is not closed. */
  readonly end: number;
  readonly isClosed: boolean;
}

/**
 * Returns the sequences of a template, including sequences in their strings, by their start. Skips escaped sequences
 * (`$${`, `%%{`). The template is a decoded string of Terraform's JSON, so a backslash outside of a sequence is an ordinary
 * character.
 *
 * @see https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md#template-expressions
 */
export function sequencesIn(template: string): readonly TemplateSequence[] {
  if (!template.includes("${") && !template.includes("%{")) return [];
  return new Lexer(template).template();
}

/** Returns an expression, followed by the expressions in its strings. */
export function expressionsIn(expression: string): readonly Expression[] {
  return new Lexer(expression).expression();
}

/**
 * Replaces everything that is not code with spaces: strings, heredocs, comments, `${` and `}`. In a body, the sequences in
 * strings are not code either.
 */
export function codeOf(text: string, kind: "template" | "expression" | "body"): string {
  const lexer = new Lexer(text);
  if (kind === "template") lexer.template();
  else lexer.expression();
  let code = "";
  for (const { start, end, isOutermost } of lexer.codeSpans) {
    if (kind === "body" && !isOutermost) continue;
    code += blank(text.slice(code.length, start)) + text.slice(start, end);
  }
  return code + blank(text.slice(code.length));
}

/** Keeps line breaks, so that the code has the same lines. */
const blank = (text: string): string => text.replaceAll(/[^\n]/g, " ");

/** A sequence or a bare expression, while it is being read. */
class OpenExpression implements TemplateSequence {
  code = "";
  end = 0;
  isClosed = false;
  /** The number of open braces inside of it. */
  braces = 0;

  constructor(
    readonly start: number,
    readonly within: Position | undefined,
  ) {}
}

interface OpenTemplate {
  readonly kind: "bare" | "quoted" | "heredoc";
  readonly marker: string;
  readonly within: Position | undefined;
  /** The index from which characters can form an escape. */
  from: number;
  /** True while the line is literal so far: only such a line can end a heredoc. */
  isWholeLine: boolean;
}

interface CodeSpan {
  readonly start: number;
  readonly end: number;
  /** False in a template. */
  readonly isOutermost: boolean;
}

/** Characters that can end a run of literal text, by kind of template. */
const notable = { bare: /\{/g, quoted: /["\\{]/g, heredoc: /[\n{]/g } as const;

/** Characters that can end a run of plain code. */
const notableInCode = /["{}#]|\/[/*]|<</g;

const heredocStart = /<<-?([\p{ID_Start}_][\p{ID_Continue}-]*)\r?\n/uy;

/**
 * Reads every character once, and keeps its own stack, so that deep nesting cannot overflow the call stack. Reports no
 * errors: a template that Terraform would refuse is read as far as possible.
 */
class Lexer {
  readonly #text: string;
  /** The spans of the text that are code, in order. */
  readonly codeSpans: CodeSpan[] = [];
  readonly #found: OpenExpression[] = [];
  /** Templates and expressions in turn, the innermost last. */
  readonly #open: (OpenTemplate | OpenExpression)[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  template(): readonly TemplateSequence[] {
    this.#begin("bare");
    return this.#read();
  }

  expression(): readonly Expression[] {
    this.#beginExpression(0, undefined);
    return this.#read();
  }

  #read(): readonly OpenExpression[] {
    while (this.#at < this.#text.length) {
      const innermost = this.#open.at(-1);
      if (innermost instanceof OpenExpression) this.#code(innermost);
      else if (innermost !== undefined) this.#literal(innermost);
    }
    for (const each of this.#found) if (!each.isClosed) each.end = this.#text.length;
    return this.#found;
  }

  /** Reads a template up to the first character with a meaning. */
  #literal(template: OpenTemplate): void {
    const at = this.#next(notable[template.kind]);
    switch (this.#text[at]) {
      case "\\":
        this.#at = template.from = at + 2;
        return;
      case '"':
        this.#at = at + 1;
        this.#open.pop();
        return;
      case "\n":
        this.#lineEnds(template, at);
        return;
      case "{":
        this.#at = at + 1;
        this.#brace(template, at);
        return;
      default:
        this.#at = at;
    }
  }

  #brace(template: OpenTemplate, at: number): void {
    const sign = at > template.from ? this.#text[at - 1] : undefined;
    if (sign !== "$" && sign !== "%") return;
    if (at - 1 > template.from && this.#text[at - 2] === sign) return;
    template.isWholeLine = false;
    this.#beginExpression(at - 1, template.within);
  }

  #lineEnds(heredoc: OpenTemplate, at: number): void {
    this.#at = at + 1;
    const line = heredoc.isWholeLine ? this.#text.slice(heredoc.from, at) : "";
    heredoc.from = at + 1;
    heredoc.isWholeLine = true;
    if (line.trim() === heredoc.marker) this.#open.pop();
  }

  /** Reads code up to the first string, comment, heredoc or brace. */
  #code(expression: OpenExpression): void {
    const start = this.#at;
    const at = this.#next(notableInCode);
    expression.code += this.#text.slice(start, at);
    this.#span(expression, start, at);
    this.#at = at + 1;
    switch (this.#text[at]) {
      case '"':
        this.#begin("quoted", expression);
        return;
      case "#":
        this.#comment(expression, "\n");
        return;
      case "/":
        this.#comment(expression, this.#text[at + 1] === "*" ? "*/" : "\n");
        return;
      case "<":
        this.#heredoc(expression, at);
        return;
      case "{":
        expression.braces += 1;
        break;
      case "}":
        if (expression.braces === 0 && this.#open.length > 1) {
          this.#close(expression);
          return;
        }
        expression.braces -= 1;
        break;
      default:
        return;
    }
    expression.code += this.#text.charAt(at);
    this.#span(expression, at, at + 1);
  }

  #span({ within }: OpenExpression, start: number, end: number): void {
    this.codeSpans.push({ start, end, isOutermost: within === undefined });
  }

  #comment(expression: OpenExpression, end: string): void {
    // `/*/` does not end itself.
    const closed = this.#text.indexOf(end, end === "*/" ? this.#at + 1 : this.#at);
    this.#at = closed === -1 ? this.#text.length : closed + end.length;
    expression.code += " ";
  }

  #heredoc(expression: OpenExpression, at: number): void {
    heredocStart.lastIndex = at;
    const [start, marker] = heredocStart.exec(this.#text) ?? [];
    if (start === undefined) {
      expression.code += "<<";
      this.#span(expression, at, at + 2);
      this.#at = at + 2;
      return;
    }
    this.#at = at + start.length;
    this.#begin("heredoc", expression, marker);
  }

  #begin(kind: OpenTemplate["kind"], expression?: OpenExpression, marker = ""): void {
    const within = expression && { expression, at: expression.code.length };
    if (expression !== undefined) expression.code += '""';
    this.#open.push({ kind, marker, within, from: this.#at, isWholeLine: true });
  }

  #beginExpression(start: number, within: Position | undefined): void {
    const expression = new OpenExpression(start, within);
    this.#found.push(expression);
    this.#open.push(expression);
  }

  #close(expression: OpenExpression): void {
    expression.end = this.#at;
    expression.isClosed = true;
    this.#open.pop();
    const outer = this.#open.at(-1);
    if (outer !== undefined && !(outer instanceof OpenExpression)) outer.from = this.#at;
  }

  #next(pattern: RegExp): number {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text)?.index ?? this.#text.length;
  }
}

export const escapedTemplate = (text: string): string => text.replaceAll(/[$%](?=\{)/g, "$&$&");

/** Escapes the strings and keys of a value, so that they are literal where Terraform reads templates. */
export function withEscapedTemplates(value: unknown): unknown {
  if (typeof value === "string") return escapedTemplate(value);
  if (Array.isArray(value)) return value.map(withEscapedTemplates);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      escapedTemplate(name),
      withEscapedTemplates(each),
    ]),
  );
}

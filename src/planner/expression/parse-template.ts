import type { Expression, ForExpression } from "./syntax";
import { Value, type EvaluationError } from "./value";

/** `for` and its collection, before its body. */
export type ForIntroduction = Pick<ForExpression, "kind" | "keyName" | "valueName" | "collection">;

export interface ExpressionReader {
  /** The index of the next character. */
  readonly at: number;
  moveTo(at: number): void;
  expression(): Expression;
  /** Reads `k, v in collection` after the word `for`. */
  forIntroduction(): ForIntroduction;
  /** Reads an identifier, if one comes next. */
  name(): string | undefined;
  /** Reads a punctuation mark after any space, if it comes next. */
  take(mark: string): boolean;
  expect(mark: string): void;
  fail(problem: string, at?: number): EvaluationError;
  /** Counts a level of nesting. @throws TooMuchWork when there are too many */
  enter(): void;
  leave(): void;
}

type TemplateKind = "bare" | "quoted" | "heredoc" | "flush";

/** A part of a template, before the ends of directives are matched. */
type Token =
  | { readonly kind: "text"; text: string }
  | { readonly kind: "expression"; readonly expression: Expression }
  | { readonly kind: "if"; readonly condition: Expression }
  | { readonly kind: "for"; readonly loop: ForIntroduction }
  | { readonly kind: "else" | "endif" | "endfor" };

const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  '"': '"',
  "\\": "\\",
};

/**
 * Reads a template: text, interpolations `${…}` and directives `%{…}`.
 *
 * @see {@link https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md#template-expressions}
 */
export class TemplateReader {
  readonly #text: string;
  readonly #parser: ExpressionReader;
  #tokens: Token[] = [];
  #next = 0;

  /** @param parser reads the expressions of the same text */
  constructor(text: string, parser: ExpressionReader) {
    this.#text = text;
    this.#parser = parser;
  }

  /**
   * Returns the template, and the index after its last character.
   *
   * @throws EvaluationError when it is invalid
   */
  read(from: number, kind: TemplateKind, marker = "") {
    const end = this.#tokenize(from, kind, marker);
    if (kind === "flush") this.#flush();
    const [only, ...others] = this.#tokens;
    if (only?.kind === "expression" && others.length === 0) {
      return { expression: only.expression, end };
    }
    const expression = this.#body();
    if (this.#next < this.#tokens.length) {
      throw this.#parser.fail("The directive has no beginning", from);
    }
    return { expression, end };
  }

  #tokenize(from: number, kind: TemplateKind, marker: string): number {
    const text = this.#text;
    let at = from;
    let lineStart = from;
    let literal = "";
    let trimsNext = false;
    const push = (trimsEnd: boolean): void => {
      let found = trimsNext ? literal.trimStart() : literal;
      if (trimsEnd) found = found.trimEnd();
      // Even an empty text counts: only an interpolation on its own keeps the type of its value.
      if (literal !== "") this.#tokens.push({ kind: "text", text: found });
      literal = "";
      trimsNext = false;
    };
    while (at < text.length) {
      const character = text.charAt(at);
      if (kind === "quoted" && character === '"') {
        push(false);
        return at + 1;
      }
      if (kind === "quoted" && character === "\n") {
        throw this.#parser.fail("A quoted string must be on one line", at);
      }
      if (kind === "quoted" && character === "\\") {
        const [read, length] = this.#escape(at);
        literal += read;
        at += length;
        continue;
      }
      if ((kind === "heredoc" || kind === "flush") && at === lineStart) {
        const lineEnd = text.indexOf("\n", at);
        const line = text.slice(at, lineEnd === -1 ? text.length : lineEnd);
        if (line.trim() === marker) {
          push(false);
          return at + line.length;
        }
      }
      const isSequence = (character === "$" || character === "%") && text[at + 1] === "{";
      if (!isSequence && /^(?:\$\$|%%)\{/.test(text.slice(at, at + 3))) {
        literal += `${character}{`;
        at += 3;
        continue;
      }
      if (!isSequence) {
        literal += character;
        at += 1;
        if (character !== "\n") continue;
        lineStart = at;
        // Trimming ends with the line.
        if (kind !== "bare") push(false);
        continue;
      }
      const trims = text[at + 2] === "~";
      push(trims);
      this.#parser.moveTo(at + (trims ? 3 : 2));
      this.#tokens.push(
        character === "$"
          ? { kind: "expression", expression: this.#parser.expression() }
          : this.#directive(),
      );
      trimsNext = this.#parser.take("~");
      this.#parser.expect("}");
      at = this.#parser.at;
      lineStart = -1;
    }
    if (kind !== "bare") throw this.#parser.fail("The string is not closed", from);
    push(false);
    return at;
  }

  #escape(at: number): readonly [string, number] {
    const sign = this.#text[at + 1] ?? "";
    const simple = escapes[sign];
    if (simple !== undefined) return [simple, 2];
    const digits = { u: 4, U: 8 }[sign] ?? 0;
    const code = this.#text.slice(at + 2, at + 2 + digits);
    if (digits === 0 || !/^[\da-fA-F]+$/.test(code) || code.length !== digits) {
      throw this.#parser.fail("The escape sequence is invalid", at);
    }
    const point = Number.parseInt(code, 16);
    if (point > 0x10ffff) throw this.#parser.fail("The escape sequence is invalid", at);
    return [String.fromCodePoint(point), 2 + digits];
  }

  #directive(): Token {
    const parser = this.#parser;
    parser.take("");
    const at = parser.at;
    const word = parser.name();
    switch (word) {
      case "if":
        return { kind: "if", condition: parser.expression() };
      case "for":
        return { kind: "for", loop: parser.forIntroduction() };
      case "else":
      case "endif":
      case "endfor":
        return { kind: word };
      default:
        throw parser.fail("`if`, `for`, `else`, `endif` or `endfor` is expected", at);
    }
  }

  /** Reads tokens up to the `else` or the end of an outer directive. */
  #body(): Expression {
    const parts: Expression[] = [];
    this.#parser.enter();
    for (;;) {
      const token = this.#tokens[this.#next];
      if (token === undefined) break;
      if (token.kind === "else" || token.kind === "endif" || token.kind === "endfor") break;
      this.#next += 1;
      switch (token.kind) {
        case "text":
          parts.push({ kind: "literal", value: Value.string(token.text) });
          break;
        case "expression":
          parts.push(token.expression);
          break;
        case "if":
          parts.push(this.#if(token.condition));
          break;
        case "for":
          parts.push(this.#for(token.loop));
      }
    }
    this.#parser.leave();
    return { kind: "template", parts };
  }

  #if(condition: Expression): Expression {
    const then = this.#body();
    const hasElse = this.#tokens[this.#next]?.kind === "else";
    if (hasElse) this.#next += 1;
    const otherwise: Expression = hasElse ? this.#body() : { kind: "template", parts: [] };
    this.#end("endif");
    return { kind: "conditional", condition, then, otherwise };
  }

  #for(loop: ForIntroduction): Expression {
    const value = this.#body();
    this.#end("endfor");
    const of = { ...loop, key: undefined, value, condition: undefined, isGrouped: false } as const;
    return { kind: "join", of };
  }

  #end(kind: "endif" | "endfor"): void {
    if (this.#tokens[this.#next]?.kind !== kind) {
      throw this.#parser.fail(`The directive has no \`${kind}\``);
    }
    this.#next += 1;
  }

  /** Removes the common indentation of a `<<-` heredoc, each line of which is a token of its own. */
  #flush(): void {
    let isLineStart = true;
    let smallest = Number.POSITIVE_INFINITY;
    const indented: { text: string }[] = [];
    for (const token of this.#tokens) {
      const text = token.kind === "text" ? token.text : "";
      const indentation = text.length - text.trimStart().length;
      const isBlank = text.endsWith("\n") && indentation === text.length;
      if (isLineStart && !isBlank) {
        smallest = Math.min(smallest, indentation);
        if (token.kind === "text") indented.push(token);
      }
      isLineStart = text.endsWith("\n");
    }
    for (const token of indented) token.text = token.text.slice(smallest);
  }
}

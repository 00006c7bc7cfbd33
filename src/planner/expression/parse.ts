import { readNumber } from "./binary-float";
import { tooMuchWork } from "./budget";
import { type BinaryOperator, binaryOperators, type Expression, splatElement } from "./syntax";
import { type ExpressionReader, type ForIntroduction, TemplateReader } from "./parse-template";
import { Value, EvaluationError } from "./value";

/** Deeper expressions could overflow the call stack. */
const maxDepth = 150;

/**
 * Parses a string of Terraform's JSON syntax, which is a template.
 *
 * @throws EvaluationError when it is invalid
 * @throws TooMuchWork when it is nested too deeply
 * @throws NotComputed when it contains a number that is too large
 */
export function parseTemplate(text: string): Expression {
  if (!text.includes("${") && !text.includes("%{")) return literal(text);
  return new Parser(text).template();
}

/** Where the parts of an expression are in its text, without the space, comments and parentheses around them. */
export type Spans = Map<Expression, { readonly start: number; readonly end: number }>;

/**
 * Parses an expression, such as `var.names[0]`.
 *
 * @param spans filled with the places of elements, members, arguments and interpolations
 * @throws EvaluationError when it is invalid
 */
export function parseExpression(text: string, spans?: Spans): Expression {
  return new Parser(text, spans).only();
}

const literal = (content: string): Expression => ({
  kind: "literal",
  value: Value.string(content),
});

const space = /(?:[ \t\r\n]|#[^\n]*|\/\/[^\n]*|\/\*[^]*?\*\/)*/y;
const spaceInLine = /(?:[ \t]|\/\*[^]*?\*\/)*/y;
const identifier = /[\p{ID_Start}_][\p{ID_Continue}-]*/uy;
const numeral = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const operator = /\|\||&&|[=!<>]=|[<>+\-*/%]/y;

class Parser implements ExpressionReader {
  #at = 0;
  #depth = 0;
  /** Where the last space began and ended. */
  #spaceStart = 0;
  #spaceEnd = 0;
  readonly #text: string;
  readonly #spans: Spans | undefined;

  constructor(text: string, spans?: Spans) {
    this.#text = text;
    this.#spans = spans;
  }

  template(): Expression {
    return new TemplateReader(this.#text, this).read(0, "bare").expression;
  }

  only(): Expression {
    const found = this.expression();
    this.#space();
    if (this.#at < this.#text.length) throw this.fail("Unexpected characters after the expression");
    return found;
  }

  get at(): number {
    return this.#at;
  }

  moveTo(at: number): void {
    this.#at = at;
  }

  fail(problem: string, at = this.#at): EvaluationError {
    return new EvaluationError(`${problem} at character ${at + 1}`, undefined, { problem, at });
  }

  enter(): void {
    this.#depth += 1;
    if (this.#depth > maxDepth) {
      throw tooMuchWork(
        "TOO_MUCH_WORK",
        `The expression is nested deeper than ${maxDepth} levels.`,
      );
    }
  }

  leave(): void {
    this.#depth -= 1;
  }

  expression(): Expression {
    this.enter();
    this.#space();
    const start = this.#at;
    const condition = this.#binary(0);
    const found = this.take("?") ? this.#conditional(condition) : condition;
    this.leave();
    if (this.#spans?.has(found) === false) {
      const end = this.#at === this.#spaceEnd ? this.#spaceStart : this.#at;
      this.#spans.set(found, { start, end });
    }
    return found;
  }

  #conditional(condition: Expression): Expression {
    const then = this.expression();
    this.expect(":");
    return { kind: "conditional", condition, then, otherwise: this.expression() };
  }

  #binary(level: number): Expression {
    const operators: readonly string[] | undefined = binaryOperators[level];
    if (operators === undefined) return this.#unary();
    let left = this.#binary(level + 1);
    for (;;) {
      this.#space();
      const start = this.#at;
      const found = this.#match(operator);
      if (found === undefined || !operators.includes(found)) {
        this.#at = start;
        return left;
      }
      // One of `operators`.
      left = {
        kind: "binary",
        operator: found as BinaryOperator,
        left,
        right: this.#binary(level + 1),
      };
    }
  }

  #unary(): Expression {
    this.#space();
    const sign = this.#text[this.#at];
    if (sign !== "-" && sign !== "!") return this.#traversal(this.#term());
    this.#at += 1;
    this.enter();
    const of = this.#unary();
    this.leave();
    return { kind: "unary", operator: sign, of };
  }

  #term(): Expression {
    this.#space();
    const start = this.#at;
    switch (this.#text[start]) {
      case "(": {
        this.#at += 1;
        const inner = this.expression();
        this.expect(")");
        return inner;
      }
      case "[":
        this.#at += 1;
        return this.#tuple();
      case "{":
        this.#at += 1;
        return this.#object();
      case '"':
        return this.#quoted();
      case "<":
        return this.#heredoc();
      default:
    }
    const digits = this.#match(numeral);
    if (digits !== undefined) return this.#number(digits);
    const name = this.name();
    if (name === undefined) throw this.fail("An expression is expected", start);
    if (name === "true" || name === "false") {
      return { kind: "literal", value: Value.bool(name === "true") };
    }
    if (name === "null") return { kind: "literal", value: Value.null() };
    return this.#call(name) ?? { kind: "variable", name };
  }

  #number(digits: string): Expression {
    return { kind: "literal", value: Value.number(readNumber(digits)) };
  }

  #call(first: string): Expression | undefined {
    const after = this.#at;
    const names = [first];
    while (this.#text.startsWith("::", this.#at)) {
      this.#at += 2;
      const name = this.name();
      if (name === undefined) throw this.fail("The name of a function is expected");
      names.push(name);
    }
    spaceInLine.lastIndex = this.#at;
    this.#at += spaceInLine.exec(this.#text)?.[0].length ?? 0;
    if (this.#text[this.#at] !== "(") {
      if (names.length > 1) throw this.fail("Arguments in parentheses are expected");
      this.#at = after;
      return undefined;
    }
    this.#at += 1;
    const args: Expression[] = [];
    let isExpanded = false;
    while (!this.take(")")) {
      if (args.length > 0) {
        this.expect(",");
        if (this.take(")")) break;
      }
      args.push(this.expression());
      if (this.take("...")) {
        isExpanded = true;
        this.take(",");
        this.expect(")");
        break;
      }
    }
    return { kind: "call", name: names.join("::"), args, isExpanded };
  }

  #tuple(): Expression {
    if (this.#takesWord("for")) return this.#for("]");
    const elements: Expression[] = [];
    while (!this.take("]")) {
      if (elements.length > 0) {
        this.expect(",");
        if (this.take("]")) break;
      }
      elements.push(this.expression());
    }
    return { kind: "tuple", elements };
  }

  #object(): Expression {
    if (this.#takesWord("for")) return this.#for("}");
    const members: (readonly [Expression, Expression])[] = [];
    while (!this.take("}")) {
      const key = this.#objectKey();
      if (!this.take("=") && !this.take(":")) throw this.fail("`=` or `:` is expected");
      members.push([key, this.expression()]);
      // A line break, which is read as space, also separates members.
      this.take(",");
    }
    return { kind: "object", members };
  }

  /** A bare name is the key itself; anything else is an expression. */
  #objectKey(): Expression {
    this.#space();
    const start = this.#at;
    const name = this.name();
    this.#space();
    const isBare = /^(?:=(?!=)|:(?!:))/.test(this.#text.slice(this.#at, this.#at + 2));
    if (name !== undefined && isBare) return literal(name);
    this.#at = start;
    return this.expression();
  }

  #for(end: "]" | "}"): Expression {
    const loop = this.forIntroduction();
    this.expect(":");
    const first = this.expression();
    const isObject = end === "}";
    if (isObject) this.expect("=>");
    const value = isObject ? this.expression() : first;
    const isGrouped = isObject && this.take("...");
    const condition = this.#takesWord("if") ? this.expression() : undefined;
    this.expect(end);
    return { ...loop, key: isObject ? first : undefined, value, condition, isGrouped };
  }

  forIntroduction(): ForIntroduction {
    const first = this.#expectName();
    const second = this.take(",") ? this.#expectName() : undefined;
    if (!this.#takesWord("in")) throw this.fail("`in` is expected");
    const collection = this.expression();
    return second === undefined
      ? { kind: "for", keyName: undefined, valueName: first, collection }
      : { kind: "for", keyName: first, valueName: second, collection };
  }

  #traversal(start: Expression): Expression {
    let of = start;
    for (;;) {
      // A line break would end a traversal only outside of parentheses, which does not occur in templates.
      const before = this.#at;
      this.#space();
      if (this.#text[this.#at] === "[") {
        this.#at += 1;
        if (this.take("*")) {
          this.expect("]");
          return {
            kind: "splat",
            of,
            each: this.#traversal({ kind: "variable", name: splatElement }),
          };
        }
        const key = this.expression();
        this.expect("]");
        of = { kind: "index", of, key };
      } else if (this.#text[this.#at] === "." && this.#text[this.#at + 1] !== ".") {
        this.#at += 1;
        this.#space();
        if (this.#text[this.#at] === "*") {
          this.#at += 1;
          return this.#traversal({ kind: "splat", of, each: this.#attributeSplat() });
        }
        of = this.#member(of);
      } else {
        this.#at = before;
        return of;
      }
    }
  }

  /** `.*` applies to the attributes after it, but not to indexes. */
  #attributeSplat(): Expression {
    let each: Expression = { kind: "variable", name: splatElement };
    while (this.#text[this.#at] === "." && this.#text[this.#at + 1] !== ".") {
      this.#at += 1;
      each = this.#member(each);
    }
    return each;
  }

  #member(of: Expression): Expression {
    const name = this.name();
    if (name !== undefined) return { kind: "attribute", of, name };
    const digits = this.#match(/\d+/y);
    if (digits === undefined) throw this.fail("The name of an attribute is expected");
    return { kind: "index", of, key: this.#number(digits) };
  }

  #quoted(): Expression {
    return this.#inner(this.#at + 1, "quoted");
  }

  #heredoc(): Expression {
    const start = /<<(-?)([\p{ID_Start}_][\p{ID_Continue}-]*)\r?\n/uy;
    start.lastIndex = this.#at;
    const [text, flush, marker] = start.exec(this.#text) ?? [];
    if (text === undefined || marker === undefined) throw this.fail("An expression is expected");
    return this.#inner(this.#at + text.length, flush === "-" ? "flush" : "heredoc", marker);
  }

  #inner(from: number, kind: "quoted" | "heredoc" | "flush", marker?: string): Expression {
    this.enter();
    const { expression, end } = new TemplateReader(this.#text, this).read(from, kind, marker);
    this.#at = end;
    this.leave();
    return expression;
  }

  name(): string | undefined {
    return this.#match(identifier);
  }

  take(mark: string): boolean {
    this.#space();
    if (!this.#text.startsWith(mark, this.#at)) return false;
    this.#at += mark.length;
    return true;
  }

  expect(mark: string): void {
    if (!this.take(mark)) throw this.fail(`\`${mark}\` is expected`);
  }

  #expectName(): string {
    this.#space();
    const name = this.name();
    if (name === undefined) throw this.fail("A name is expected");
    return name;
  }

  #takesWord(word: string): boolean {
    this.#space();
    const start = this.#at;
    if (this.name() === word) return true;
    this.#at = start;
    return false;
  }

  #space(): void {
    space.lastIndex = this.#at;
    const length = space.exec(this.#text)?.[0].length ?? 0;
    if (length > 0) this.#spaceStart = this.#at;
    this.#at += length;
    if (length > 0) this.#spaceEnd = this.#at;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }
}

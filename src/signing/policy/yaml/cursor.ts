import { YamlProblem } from "./yaml-problem";

/**
 * A position in the text of a document. It moves back only within a line, so the time is linear. The text
 * ends with a line break.
 */
export class Cursor {
  #at = 0;
  #lineStart = 0;
  #line: number;

  constructor(
    readonly text: string,
    firstLine: number,
    /** Whether the last line break was not in the text. */
    readonly isCutOff: boolean,
  ) {
    this.#line = firstLine;
  }

  get at(): number {
    return this.#at;
  }

  /** The number of the line, from 1. */
  get line(): number {
    return this.#line;
  }

  /** The number of characters before the position in its line. */
  get column(): number {
    return this.#at - this.#lineStart;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.text.length;
  }

  /** The character at the position or after it; empty after the end. */
  peek(ahead = 0): string {
    return this.text.charAt(this.#at + ahead);
  }

  /** Moves within the line. */
  advance(count: number): void {
    this.#at += count;
  }

  /** Moves to a position within the line. */
  moveTo(at: number): void {
    this.#at = at;
  }

  /** Moves from the end of a line to the next one. */
  nextLine(): void {
    this.#at += 1;
    this.#lineStart = this.#at;
    this.#line += 1;
  }

  /** What a sticky expression matches here; the position moves behind it. */
  take(expression: RegExp): string | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  /** Whether a sticky expression matches here. */
  sees(expression: RegExp): boolean {
    expression.lastIndex = this.#at;
    return expression.test(this.text);
  }

  /** The number of spaces that the line begins with. The position is its beginning. */
  indentation(): number {
    let count = 0;
    while (this.peek(count) === " ") count += 1;
    return count;
  }

  /** Moves to the next line if nothing but spaces and a comment follows; fails otherwise. */
  endLine(): void {
    this.take(/ +/y);
    if (this.peek() === "#" && " \n".includes(this.text.charAt(this.#at - 1))) {
      this.take(/[^\n]*/y);
    }
    if (this.peek() !== "\n") throw this.unexpected();
    this.nextLine();
  }

  /** Moves from the beginning of a line to the next character that is no space and in no comment. */
  skipEmptyLines(): void {
    while (!this.isAtEnd && this.sees(/ *(?:#|\n)/y)) this.endLine();
    this.take(/ +/y);
  }

  /** The error for a character that cannot be here. */
  unexpected(): YamlProblem {
    const character = String.fromCodePoint(this.text.codePointAt(this.#at) ?? 10);
    if (character === "\t") {
      return this.problem("is not YAML that is supported: it has a tab where spaces are needed");
    }
    if (character === "\n") return this.problem("is not YAML: the line ends too early");
    const advice = "a string with special characters must be in quotes";
    return this.problem(
      `is not YAML: ${JSON.stringify(character)} is not expected here (${advice})`,
    );
  }

  problem(text: string): YamlProblem {
    return new YamlProblem(this.#line, text);
  }
}

import { CtyError } from "../error";

/** A JSON number as it was written, because a `number` may not hold it. */
export class JsonNumber {
  constructor(readonly text: string) {}
}

/** Parsed JSON that has lost nothing but the layout. */
export type JsonValue =
  null | boolean | string | JsonNumber | readonly JsonValue[] | ReadonlyMap<string, JsonValue>;

const MAX_DEPTH = 1000;
const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERALS = new Map([
  ["t", { text: "true", value: true }],
  ["f", { text: "false", value: false }],
  ["n", { text: "null", value: null }],
]);

/**
 * Reads JSON and keeps numbers as they are written.
 *
 * @throws CtyError when the text is not JSON.
 */
export function parseJson(text: string): JsonValue {
  return new JsonReader(text).document();
}

class JsonReader {
  private offset = 0;
  private depth = 0;

  constructor(private readonly text: string) {}

  document(): JsonValue {
    const value = this.value();
    if (this.peek() !== "") throw this.invalid();
    return value;
  }

  private value(): JsonValue {
    const next = this.peek();
    if (next === "{") return this.nested(() => this.object());
    if (next === "[") return this.nested(() => this.array());
    if (next === '"') return this.string();
    const literal = LITERALS.get(next);
    if (literal === undefined) return new JsonNumber(this.match(NUMBER));
    if (!this.text.startsWith(literal.text, this.offset)) throw this.invalid();
    this.offset += literal.text.length;
    return literal.value;
  }

  private nested<T>(read: () => T): T {
    if (this.depth === MAX_DEPTH) {
      throw new CtyError(`the JSON is nested deeper than ${MAX_DEPTH} levels`);
    }
    this.offset += 1;
    this.depth += 1;
    const value = read();
    this.depth -= 1;
    return value;
  }

  private object(): ReadonlyMap<string, JsonValue> {
    const members = new Map<string, JsonValue>();
    if (this.take("}")) return members;
    do {
      this.peek();
      const name = this.string();
      if (!this.take(":")) throw this.invalid();
      members.set(name, this.value());
    } while (this.take(","));
    if (!this.take("}")) throw this.invalid();
    return members;
  }

  private array(): readonly JsonValue[] {
    const elements: JsonValue[] = [];
    if (this.take("]")) return elements;
    do elements.push(this.value());
    while (this.take(","));
    if (!this.take("]")) throw this.invalid();
    return elements;
  }

  private string(): string {
    if (this.text.charAt(this.offset) !== '"') throw this.invalid();
    const end = this.closingQuote() + 1;
    try {
      const text = String(JSON.parse(this.text.slice(this.offset, end)));
      this.offset = end;
      return text;
    } catch {
      throw this.invalid();
    }
  }

  /** Finds the next quote that has no backslash, or an even number of them, before it. */
  private closingQuote(): number {
    let quote = this.offset;
    let backslashes: number;
    do {
      quote = this.text.indexOf('"', quote + 1);
      if (quote === -1) throw this.invalid();
      backslashes = 0;
      while (this.text.charAt(quote - 1 - backslashes) === "\\") backslashes += 1;
    } while (backslashes % 2 === 1);
    return quote;
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.offset;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined) throw this.invalid();
    this.offset += found.length;
    return found;
  }

  private take(character: string): boolean {
    if (this.peek() !== character) return false;
    this.offset += 1;
    return true;
  }

  /** Skips white space and gives the next character, or "" at the end. */
  private peek(): string {
    SPACE.lastIndex = this.offset;
    this.offset += SPACE.exec(this.text)?.[0].length ?? 0;
    return this.text.charAt(this.offset);
  }

  private invalid(): CtyError {
    const found = this.offset < this.text.length ? "something unexpected" : "the end";
    return new CtyError(`invalid JSON: ${found} at character ${this.offset}`);
  }
}

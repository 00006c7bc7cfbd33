import { type Failure, failures } from "../failure/failure";

/** Why text is not the required JSON. */
export type JsonErrorCode =
  /** It breaks the grammar, or it is not UTF-8. */
  | "SYNTAX"
  /** Text follows the value. */
  | "TRAILING_TEXT"
  /** Two members have the same name, and parsers disagree on which one applies. */
  | "DUPLICATE_NAME"
  /** A member called `__proto__`, which some parsers treat specially. */
  | "FORBIDDEN_NAME"
  | "TOO_DEEP"
  | "TOO_LONG"
  /** A number beyond a double. */
  | "NUMBER_RANGE"
  /** A lone surrogate, which has no encoding in UTF-8. */
  | "LONE_SURROGATE"
  /** Valid JSON, but not as the format requires. */
  | "SHAPE";

/** Text is not the required JSON. The message has the index in UTF-16 code units, and no values. */
export type JsonError = Failure<JsonErrorCode>;
export const [jsonError, isJsonError] = failures<JsonErrorCode>("JsonError");

/** How a caller represents JSON, and its limits. */
export interface JsonForm<Value, Members extends Value> {
  /** Maximum depth of nested objects and arrays. */
  readonly depthMax: number;
  /** Maximum length, in UTF-16 code units. */
  readonly lengthMax: number;
  /** Maximum number of values, each of which takes memory. @default unlimited */
  readonly valuesMax?: number | undefined;
  /** Converts a number. @throws JsonError for a number that is not allowed */
  readonly number: (digits: string, at: number) => Value;
  /** Converts a value that is neither a number nor an object. */
  readonly plain: (value: null | boolean | string | Value[]) => Value;
  readonly members: () => Members;
  /** Adds a member. @returns why the name is refused; undefined if it was added */
  readonly add: (
    members: Members,
    name: string,
    value: Value,
  ) => Extract<JsonErrorCode, "DUPLICATE_NAME" | "FORBIDDEN_NAME"> | undefined;
}

/**
 * Parses external JSON (RFC 8259). Bytes must be UTF-8, and strings cannot contain lone surrogates; the form decides which
 * names are allowed. Takes linear time, and uses the stack only for nesting.
 *
 * @throws JsonError
 */
export function readJson<Value, Members extends Value>(
  text: string | Uint8Array,
  form: JsonForm<Value, Members>,
): Value {
  return new JsonReader(typeof text === "string" ? text : decoded(text), form).whole();
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw jsonError("SYNTAX", "not UTF-8", { at: 0 });
  }
}

// No repeated groups, which would take stack for every character.
const space = /[ \t\n\r]*/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// eslint-disable-next-line no-control-regex -- JSON forbids exactly these in strings
const control = /[\u0000-\u001f]/;
const loneSurrogate = /\p{Surrogate}/u;

class JsonReader<Value, Members extends Value> {
  readonly #text: string;
  readonly #form: JsonForm<Value, Members>;
  #at = 0;
  #depth = 0;
  #values = 0;

  constructor(text: string, form: JsonForm<Value, Members>) {
    this.#text = text;
    this.#form = form;
  }

  whole(): Value {
    const { lengthMax } = this.#form;
    if (this.#text.length > lengthMax) {
      throw this.#error("TOO_LONG", `more than ${lengthMax} characters`);
    }
    const value = this.#value();
    this.#match(space);
    if (this.#at === this.#text.length) return value;
    throw this.#error("TRAILING_TEXT", `unexpected text after the value at character ${this.#at}`);
  }

  #value(): Value {
    const { valuesMax = Infinity } = this.#form;
    if (++this.#values > valuesMax) throw this.#error("TOO_LONG", `more than ${valuesMax} values`);
    this.#match(space);
    switch (this.#text[this.#at]) {
      case "{":
        return this.#object();
      case "[":
        return this.#array();
      case '"':
        return this.#form.plain(this.#string());
      case "t":
        return this.#literal("true", true);
      case "f":
        return this.#literal("false", false);
      case "n":
        return this.#literal("null", null);
      default:
        return this.#number();
    }
  }

  #object(): Members {
    this.#enter();
    const members = this.#form.members();
    if (this.#skips("}")) return this.#leave(members);
    do {
      this.#match(space);
      const start = this.#at;
      const name = this.#string();
      if (!this.#skips(":")) throw this.#unexpected();
      const refused = this.#form.add(members, name, this.#value());
      if (refused === "FORBIDDEN_NAME") {
        throw this.#error(refused, `forbidden name ${name} at character ${start}`, start);
      }
      if (refused === "DUPLICATE_NAME") {
        throw this.#error(refused, `duplicate name at character ${start}`, start);
      }
    } while (this.#skips(","));
    if (!this.#skips("}")) throw this.#unexpected();
    return this.#leave(members);
  }

  #array(): Value {
    this.#enter();
    const items: Value[] = [];
    if (this.#skips("]")) return this.#leave(this.#form.plain(items));
    do items.push(this.#value());
    while (this.#skips(","));
    if (!this.#skips("]")) throw this.#unexpected();
    return this.#leave(this.#form.plain(items));
  }

  #enter(): void {
    const { depthMax } = this.#form;
    if (this.#depth === depthMax) {
      throw this.#error("TOO_DEEP", `more than ${depthMax} levels of nesting`);
    }
    this.#depth += 1;
    this.#at += 1;
  }

  #leave<T>(value: T): T {
    this.#depth -= 1;
    return value;
  }

  #string(): string {
    const start = this.#at;
    if (this.#text[start] !== '"') throw this.#unexpected();
    const end = this.#closingQuote();
    let value = this.#text.slice(start + 1, end);
    if (value.includes("\\")) value = this.#unescaped(start, end);
    else if (control.test(value)) throw this.#unexpected();
    if (loneSurrogate.test(value)) {
      throw this.#error("LONE_SURROGATE", `lone surrogate at character ${start}`);
    }
    this.#at = end + 1;
    return value;
  }

  /** The next quote after an even number of backslashes. */
  #closingQuote(): number {
    let quote = this.#at;
    let backslashes: number;
    do {
      quote = this.#text.indexOf('"', quote + 1);
      if (quote === -1) {
        this.#at = this.#text.length;
        throw this.#unexpected();
      }
      backslashes = 0;
      while (this.#text[quote - 1 - backslashes] === "\\") backslashes += 1;
    } while (backslashes % 2 === 1);
    return quote;
  }

  #unescaped(start: number, end: number): string {
    try {
      return String(JSON.parse(this.#text.slice(start, end + 1)));
    } catch {
      throw this.#unexpected();
    }
  }

  #number(): Value {
    const start = this.#at;
    const digits = this.#match(number);
    if (digits === "") throw this.#unexpected();
    return this.#form.number(digits, start);
  }

  #literal(literal: string, value: null | boolean): Value {
    if (!this.#text.startsWith(literal, this.#at)) throw this.#unexpected();
    this.#at += literal.length;
    return this.#form.plain(value);
  }

  #skips(character: string): boolean {
    this.#match(space);
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }

  #unexpected(): JsonError {
    const where =
      this.#at < this.#text.length ? `unexpected character at ${this.#at}` : "unexpected end";
    return this.#error("SYNTAX", `not JSON: ${where}`);
  }

  #error(code: JsonErrorCode, message: string, at = this.#at): JsonError {
    return jsonError(code, message, { at });
  }
}

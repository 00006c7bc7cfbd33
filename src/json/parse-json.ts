import { JsonError } from "./json-error";
import type { JsonObject, JsonValue } from "./json-value";

const depthMax = 256;

/**
 * Reads JSON that comes from outside.
 *
 * Stricter than `JSON.parse`: every name of an object once, none `__proto__`, at most 256 levels, no
 * number beyond a double, no half surrogate pairs, and bytes must be UTF-8. Objects have no prototype.
 *
 * @throws JsonError
 */
export function parseJson(text: string | Uint8Array): JsonValue {
  return new JsonReader(typeof text === "string" ? text : decode(text)).whole();
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new JsonError("SYNTAX", "the text is not UTF-8");
  }
}

const space = /[ \t\n\r]*/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// eslint-disable-next-line no-control-regex -- JSON forbids exactly these in texts
const plainText = /[^"\\\u0000-\u001f]*/y;
// eslint-disable-next-line no-control-regex -- as above
const anyText = /(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/y;
const loneSurrogate = /\p{Surrogate}/u;

class JsonReader {
  private offset = 0;

  constructor(private readonly text: string) {}

  whole(): JsonValue {
    const value = this.value(0);
    this.match(space);
    if (this.offset < this.text.length) {
      throw new JsonError("TRAILING_TEXT", `text is left over at character ${this.offset}`);
    }
    return value;
  }

  private value(depth: number): JsonValue {
    if (depth > depthMax) {
      throw new JsonError("TOO_DEEP", `the text has more than ${depthMax} levels`);
    }
    this.match(space);
    switch (this.text[this.offset]) {
      case "{":
        return this.object(depth);
      case "[":
        return this.array(depth);
      case '"':
        return this.string();
      case "t":
        return this.word("true", true);
      case "f":
        return this.word("false", false);
      case "n":
        return this.word("null", null);
      default:
        return this.number();
    }
  }

  private object(depth: number): JsonObject {
    const object = Object.create(null) as Record<string, JsonValue>;
    this.offset += 1;
    if (this.skips("}")) return object;
    do {
      this.match(space);
      const start = this.offset;
      const name = this.string();
      if (name === "__proto__") {
        throw new JsonError("FORBIDDEN_NAME", `the name __proto__ at character ${start}`);
      }
      if (name in object) {
        throw new JsonError("DUPLICATE_NAME", `a name comes twice, at character ${start}`);
      }
      if (!this.skips(":")) throw this.unexpected();
      object[name] = this.value(depth + 1);
    } while (this.skips(","));
    if (!this.skips("}")) throw this.unexpected();
    return object;
  }

  private array(depth: number): readonly JsonValue[] {
    const items: JsonValue[] = [];
    this.offset += 1;
    if (this.skips("]")) return items;
    do items.push(this.value(depth + 1));
    while (this.skips(","));
    if (!this.skips("]")) throw this.unexpected();
    return items;
  }

  private string(): string {
    if (this.text[this.offset] !== '"') throw this.unexpected();
    const start = this.offset;
    this.offset += 1;
    let value = this.match(plainText);
    if (this.text[this.offset] === "\\") {
      this.offset = start + 1;
      const escaped = this.match(anyText);
      value = JSON.parse(`"${escaped}"`) as string;
    }
    if (this.text[this.offset] !== '"') throw this.unexpected();
    this.offset += 1;
    if (loneSurrogate.test(value)) {
      throw new JsonError("LONE_SURROGATE", `half a surrogate pair at character ${start}`);
    }
    return value;
  }

  private number(): number {
    const start = this.offset;
    const digits = this.match(number);
    if (digits === "") throw this.unexpected();
    const value = Number(digits);
    if (!Number.isFinite(value)) {
      throw new JsonError("NUMBER_RANGE", `a number beyond a double at character ${start}`);
    }
    return value;
  }

  private word<T>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.offset)) throw this.unexpected();
    this.offset += word.length;
    return value;
  }

  private skips(sign: string): boolean {
    this.match(space);
    if (this.text[this.offset] !== sign) return false;
    this.offset += 1;
    return true;
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.offset;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.offset += found.length;
    return found;
  }

  private unexpected(): JsonError {
    const where =
      this.offset < this.text.length
        ? `an unexpected character at ${this.offset}`
        : "the text ends too early";
    return new JsonError("SYNTAX", `not JSON: ${where}`);
  }
}

import { sortedNames } from "../equality";
import type { TerraformFunction } from "../function";
import { primitiveText, Value } from "../value";
import { stringOf } from "./arguments";

/** Where a value is written, which decides on line breaks. */
type Place = "root" | "item" | "key" | "value";

/** Quoted text breaks at the first space after this column. */
const bestWidth = 80;

/** A key that is longer, in bytes, or has several lines begins with a question mark. */
const maxSimpleKey = 128;

const lineBreak = /[\n\r\x85\u2028\u2029]/;

/** Characters that YAML needs to escape, and all outside the basic plane. */
const special = /[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;

/** Writes YAML as libyaml's emitter does, in the style that Terraform chooses. */
class Emitter {
  text = "";
  #column = 0;
  /** True after a space or an indentation. */
  #isSpace = true;
  /** True while the line has only indentation and indicators such as `-`. */
  #isIndentation = true;

  #put(text: string): void {
    this.text += text;
    this.#column += Array.from(text).length;
  }

  #break(): void {
    this.text += "\n";
    this.#column = 0;
  }

  /** Begins a line, unless this one has just begun. */
  indent(indentation: number): void {
    const width = Math.max(indentation, 0);
    const isFull = this.#column > width || (this.#column === width && !this.#isSpace);
    if (!this.#isIndentation || isFull) this.#break();
    this.#put(" ".repeat(Math.max(width - this.#column, 0)));
    this.#isSpace = true;
    this.#isIndentation = true;
  }

  #sign(sign: string, isAfterSpace: boolean, isStructure = false): void {
    if (isAfterSpace && !this.#isSpace) this.#put(" ");
    this.#put(sign);
    this.#isSpace = false;
    this.#isIndentation &&= isStructure;
  }

  value(value: Value, indentation: number, place: Place): void {
    const { type, content } = value;
    const parts = value.parts();
    if (content === null || typeof type === "string") {
      const inner = indentation < 0 ? 2 : indentation + 2;
      if (typeof content === "string") this.#string(content, inner, place);
      else this.#sign(primitiveText(value) ?? "null", true);
    } else if ("map" in type || "object" in type) {
      if (parts.length === 0) this.#sign("{}", true);
      else this.#mapping(value.members(), indentation < 0 ? 0 : indentation + 2);
    } else if (parts.length === 0) {
      this.#sign("[]", true);
    } else {
      const isFlat = (place === "key" || place === "value") && !this.#isIndentation;
      const inner = indentation < 0 || isFlat ? Math.max(indentation, 0) : indentation + 2;
      for (const part of parts) {
        this.indent(inner);
        this.#sign("-", true, true);
        this.value(part, inner, "item");
      }
    }
  }

  #mapping(members: ReadonlyMap<string, Value>, indentation: number): void {
    for (const name of sortedNames(members)) {
      this.indent(indentation);
      if (!lineBreak.test(name) && Buffer.byteLength(name) <= maxSimpleKey) {
        this.#quoted(name, indentation + 2, false);
        this.#sign(":", false);
      } else {
        this.#sign("?", true, true);
        this.#string(name, indentation + 2, "value");
        this.indent(indentation);
        this.#sign(":", true, true);
      }
      this.value(members.get(name) ?? Value.null(), indentation, "value");
    }
  }

  #string(text: string, indentation: number, place: Place): void {
    const isBlock =
      text.includes("\n") &&
      !text.endsWith(" ") &&
      !special.test(text) &&
      !/ [\n\u2028\u2029]/.test(text);
    if (isBlock && place !== "key") this.#block(text, indentation);
    else this.#quoted(text, indentation, true);
  }

  #block(text: string, indentation: number): void {
    const [last = "", before = ""] = [text.at(-1), text.at(-2)];
    const isKept = lineBreak.test(last) && (before === "" || lineBreak.test(before));
    const chomping = lineBreak.test(last) ? "" : "-";
    this.#sign("|", true);
    this.#put((/^[ \n\u2028\u2029]/.test(text) ? "2" : "") + (isKept ? "+" : chomping));
    this.#break();
    this.#isSpace = true;
    this.#isIndentation = true;
    for (const [line] of text.matchAll(/[^\n\u2028\u2029]+|[\n\u2028\u2029]/g)) {
      if (lineBreak.test(line)) {
        this.text += line;
        this.#column = 0;
        this.#isIndentation = true;
      } else {
        this.indent(indentation);
        this.#put(line);
        this.#isIndentation = false;
      }
    }
  }

  #quoted(text: string, indentation: number, canBreak: boolean): void {
    this.#sign('"', true);
    const characters = Array.from(text);
    // After a byte order mark, libyaml escapes everything.
    const escapesAll = text.startsWith("\ufeff");
    let isAfterSpace = false;
    for (const [at, character] of characters.entries()) {
      const isSpace = character === " " && !escapesAll;
      const isInside = at > 0 && at < characters.length - 1;
      if (isSpace && canBreak && !isAfterSpace && isInside && this.#column > bestWidth) {
        this.indent(indentation);
        if (characters[at + 1] === " ") this.#put("\\");
      } else {
        this.#put(isSpace ? character : escaped(character, escapesAll));
      }
      isAfterSpace = isSpace;
    }
    this.#put('"');
    this.#isSpace = false;
    this.#isIndentation = false;
  }
}

const escapes: Readonly<Record<string, string>> = {
  "\0": "0",
  "\x07": "a",
  "\b": "b",
  "\t": "t",
  "\n": "n",
  "\v": "v",
  "\f": "f",
  "\r": "r",
  "\x1b": "e",
  '"': '"',
  "\\": "\\",
  "\x85": "N",
  "\u2028": "L",
  "\u2029": "P",
};

function escaped(character: string, isForced: boolean): string {
  const short = escapes[character];
  if (short !== undefined) return `\\${short}`;
  if (!isForced && !special.test(character)) return character;
  if (character === "\xa0") return "\\_";
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  if (code.length <= 2) return `\\x${code.padStart(2, "0")}`;
  return code.length <= 4 ? `\\u${code.padStart(4, "0")}` : `\\U${code.padStart(8, "0")}`;
}

function encoded(value: Value): string {
  const emitter = new Emitter();
  emitter.value(value, -1, "root");
  emitter.indent(0);
  // A document that is one plain value needs an explicit end.
  const isPlain = value.isNull || (typeof value.type === "string" && value.type !== "string");
  return isPlain ? `${emitter.text}...\n` : emitter.text;
}

/** @see {@link https://developer.hashicorp.com/terraform/language/functions/yamlencode} */
export const yamlencode: TerraformFunction = {
  parameters: [
    { name: "value", type: "dynamic", allowsNull: true, allowsAnyType: true, isWhollyKnown: true },
  ],
  returns: "string",
  call: ([value = Value.null()]) => stringOf(encoded(value)),
};

import type { JsonValue } from "../../../json/json-value";
import type { Cursor } from "./cursor";
import { quotedScalar } from "./quoted-scalar";
import type { YamlNodes } from "./yaml-nodes";
import { YamlProblem } from "./yaml-problem";

/** The text of a scalar without quotes inside of brackets: it ends at `: `, ` #`, a bracket, a comma or a tab. */
const plain =
  /(?:[^-?:\s,[\]{}#&*!|>'"%@`]|-(?=[^\s,[\]{}]))(?:[^\s,[\]{}:#]|:(?=[^\s,[\]{}])|(?<! )#| +(?=[^\s,[\]{}#:]|:[^\s,[\]{}]))*/y;

/**
 * Reads lists and objects in brackets, and what is in them.
 *
 * Not supported, because it is rare and easily misread: keys without a value, pairs in lists, and strings
 * without quotes in several lines.
 *
 * @see https://yaml.org/spec/1.2.2/#74-flow-collection-styles
 */
export class FlowReader {
  readonly #cursor: Cursor;
  readonly #nodes: YamlNodes;

  constructor(cursor: Cursor, nodes: YamlNodes) {
    this.#cursor = cursor;
    this.#nodes = nodes;
  }

  /** Reads a list or an object, at its bracket. */
  collection(depth: number): { readonly kind: "map" | "seq"; readonly value: JsonValue } {
    if (this.#cursor.peek() === "[") return { kind: "seq", value: this.#list(depth) };
    return { kind: "map", value: this.#object(depth) };
  }

  #list(depth: number): JsonValue {
    const list: JsonValue[] = [];
    this.#each("]", () => {
      this.#nodes.item(list, this.#cursor.line);
      list.push(this.#node(depth + 1));
    });
    return list;
  }

  #object(depth: number): JsonValue {
    const { object, add } = this.#nodes.object();
    this.#each("}", () => {
      const { line } = this.#cursor;
      const name = this.#key(line);
      add(name, line, () => {
        this.#skip();
        const isEmpty = [",", "}"].includes(this.#cursor.peek());
        return isEmpty ? this.#nodes.node({}, depth + 1, () => empty) : this.#node(depth + 1);
      });
    });
    return object;
  }

  /** A name with its colon, all in one line. */
  #key(line: number): string {
    const isQuoted = [`"`, "'"].includes(this.#cursor.peek());
    const text = isQuoted ? quotedScalar(this.#cursor, 0) : this.#cursor.take(plain);
    if (text === undefined) throw this.#cursor.unexpected();
    this.#cursor.take(/[ \t]+/y);
    const colon = isQuoted ? /:/y : /:(?=\s)/y;
    if (this.#cursor.line !== line || this.#cursor.take(colon) === undefined) {
      const name = JSON.stringify(text.slice(0, 80));
      throw this.#cursor.problem(`is not YAML that is supported: ${name} needs ": " and a value`);
    }
    return this.#nodes.key(text, isQuoted);
  }

  #node(depth: number): JsonValue {
    const properties = this.#nodes.properties() ?? {};
    this.#skip();
    if (this.#cursor.peek() === "*") {
      if (Object.keys(properties).length > 0) throw this.#cursor.unexpected();
      return this.#nodes.alias(depth);
    }
    return this.#nodes.node(properties, depth, (isString) => {
      const first = this.#cursor.peek();
      if (first === "[" || first === "{") return this.collection(depth);
      if (first === '"' || first === "'") {
        return { kind: "str", value: quotedScalar(this.#cursor, 0) };
      }
      const text = this.#cursor.take(plain);
      if (text === undefined) throw this.#cursor.unexpected();
      return { kind: "plain", value: this.#nodes.plain(text, isString, this.#cursor.line) };
    });
  }

  /** Reads what is between brackets, with commas in between; the last comma may be there or not. */
  #each(end: string, read: () => void): void {
    this.#cursor.advance(1);
    for (;;) {
      this.#skip();
      if (this.#cursor.peek() === end) break;
      read();
      this.#skip();
      if (this.#cursor.peek() !== ",") break;
      this.#cursor.advance(1);
    }
    if (this.#cursor.peek() !== end) throw this.#cursor.unexpected();
    this.#cursor.advance(1);
  }

  /** White space, line breaks and comments. */
  #skip(): void {
    for (;;) {
      const space = this.#cursor.take(/[ \t]+/y);
      const isComment = space !== undefined || this.#cursor.column === 0;
      if (this.#cursor.peek() === "#" && isComment) this.#cursor.take(/[^\n]*/y);
      if (this.#cursor.isAtEnd) {
        throw new YamlProblem(this.#cursor.line - 1, "is not YAML: a bracket is not closed");
      }
      if (this.#cursor.peek() !== "\n") return;
      this.#cursor.nextLine();
    }
  }
}

const empty = { kind: "plain", value: null } as const;

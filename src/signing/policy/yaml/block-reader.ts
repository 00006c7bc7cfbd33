import type { JsonValue } from "../../../json/json-value";
import { blockScalar } from "./block-scalar";
import type { Cursor } from "./cursor";
import { FlowReader } from "./flow-reader";
import { quotedScalar } from "./quoted-scalar";
import type { NodeProperties, YamlNodes } from "./yaml-nodes";

/** The text of a scalar without quotes in one line: it ends at `: `, ` #`, a tab or the end of the line. */
const plain =
  /(?:[^-?:\s,[\]{}#&*!|>'"%@`]|-(?=\S))(?:[^\s:#]|:(?=\S)|(?<! )#| +(?=[^\s#:]|:\S))*/y;
/** The same in the lines after the first, which may begin with any character but `#`. */
const more = /(?:[^\s:#]|:(?=\S))(?:[^\s:#]|:(?=\S)|(?<! )#| +(?=[^\s#:]|:\S))*/y;

interface Read {
  readonly kind: "str" | "map" | "seq" | "plain";
  readonly value: JsonValue;
}

/**
 * Reads a document of YAML 1.2 by its indentation.
 *
 * Not supported, because it is rare and easily misread: keys with `?`, keys that are no strings, and anchors
 * and tags of keys. What is supported is read as every other reader reads it, or refused.
 *
 * @see https://yaml.org/spec/1.2.2/#chapter-8-block-style-productions
 */
export class BlockReader {
  readonly #cursor: Cursor;
  readonly #nodes: YamlNodes;
  readonly #flow: FlowReader;

  constructor(cursor: Cursor, nodes: YamlNodes) {
    this.#cursor = cursor;
    this.#nodes = nodes;
    this.#flow = new FlowReader(cursor, nodes);
  }

  /** The value of the document. */
  document(): JsonValue {
    this.#cursor.skipEmptyLines();
    const value = this.#cursor.isAtEnd ? null : this.#node(-1, 1, {});
    this.#cursor.skipEmptyLines();
    if (!this.#cursor.isAtEnd) throw this.#wrongIndentation();
    return value;
  }

  /**
   * Reads a node that begins a line, or follows a dash or properties, up to the beginning of a line.
   *
   * @param parent the column of the collection that contains it
   */
  #node(parent: number, depth: number, outer: NodeProperties): JsonValue {
    const cursor = this.#cursor;
    const nodes = this.#nodes;
    if (this.#isDash()) {
      return nodes.node(outer, depth, () => ({ kind: "seq", value: this.#list(depth) }));
    }
    if (this.#isKey()) {
      return nodes.node(outer, depth, () => ({ kind: "map", value: this.#object(depth) }));
    }
    const own = nodes.properties();
    if (own === undefined) return this.#inLine(parent, depth, outer);
    if (outer.anchor !== undefined || outer.tag !== undefined) {
      throw cursor.problem("must not have an anchor or a tag in two lines");
    }
    if (this.#isKey() || this.#isDash()) {
      throw cursor.problem(
        "must not have an anchor or a tag in the line of a key or dash after it",
      );
    }
    return this.#value(parent, depth, own, false);
  }

  /** Reads what follows a key or properties: in the same line, or below. */
  #value(parent: number, depth: number, own: NodeProperties, allowsDashes: boolean): JsonValue {
    const cursor = this.#cursor;
    if (!cursor.sees(/ *(?:\n| #)/y) && !(cursor.peek() === "#")) {
      return this.#inLine(parent, depth, own);
    }
    cursor.endLine();
    cursor.skipEmptyLines();
    const isBelow = cursor.column > parent || (allowsDashes && this.#isListAt(parent));
    if (!cursor.isAtEnd && isBelow) return this.#node(parent, depth, own);
    return this.#nodes.node(own, depth, () => ({ kind: "plain", value: null }));
  }

  /** A scalar, an alias or a collection in brackets. The position moves to the beginning of a line. */
  #inLine(parent: number, depth: number, own: NodeProperties): JsonValue {
    const cursor = this.#cursor;
    const nodes = this.#nodes;
    if (cursor.peek() === "*") {
      if (own.anchor !== undefined || own.tag !== undefined) throw cursor.unexpected();
      const value = nodes.alias(depth);
      cursor.endLine();
      return value;
    }
    return nodes.node(own, depth, (isString): Read => {
      const first = cursor.peek();
      if (first === "|" || first === ">") {
        // Readers differ in where such a scalar ends if it is a whole document.
        if (parent < 0) throw cursor.unexpected();
        return { kind: "str", value: blockScalar(cursor, parent) };
      }
      if (first === "[" || first === "{") return this.#ended(this.#flow.collection(depth));
      if (first === '"' || first === "'") {
        return this.#ended({ kind: "str", value: quotedScalar(cursor, parent + 1) });
      }
      const { line } = cursor;
      return { kind: "plain", value: nodes.plain(this.#plain(parent), isString, line) };
    });
  }

  #ended(read: Read): Read {
    this.#cursor.endLine();
    return read;
  }

  /** A scalar without quotes, with the more indented lines after it. A line break is a space. */
  #plain(parent: number): string {
    const cursor = this.#cursor;
    const first = cursor.take(plain);
    if (first === undefined) throw cursor.unexpected();
    const parts = [first];
    for (;;) {
      const hasComment = cursor.sees(/ +#/y);
      cursor.endLine();
      if (hasComment) break;
      let breaks = 0;
      while (!cursor.isAtEnd && cursor.sees(/ *\n/y)) {
        cursor.endLine();
        breaks += 1;
      }
      const indent = cursor.indentation();
      if (cursor.isAtEnd || indent <= parent || cursor.peek(indent) === "#") break;
      cursor.advance(indent);
      const text = cursor.take(more);
      if (text === undefined) throw cursor.unexpected();
      parts.push(breaks === 0 ? " " : "\n".repeat(breaks), text);
    }
    return parts.join("");
  }

  #list(depth: number): JsonValue {
    const cursor = this.#cursor;
    const { column } = cursor;
    const list: JsonValue[] = [];
    do {
      this.#nodes.item(list, cursor.line);
      cursor.advance(1);
      cursor.take(/ +/y);
      const isEmpty = cursor.sees(/\n|#/y);
      list.push(
        isEmpty ? this.#value(column, depth + 1, {}, false) : this.#node(column, depth + 1, {}),
      );
      cursor.skipEmptyLines();
    } while (this.#isListAt(column));
    return this.#endedAt(column, list);
  }

  #object(depth: number): JsonValue {
    const cursor = this.#cursor;
    const { column } = cursor;
    const { object, add } = this.#nodes.object();
    do {
      const name = this.#key();
      add(name, cursor.line, () => {
        cursor.take(/ +/y);
        const own = this.#nodes.properties() ?? {};
        return this.#value(column, depth + 1, own, true);
      });
      cursor.skipEmptyLines();
    } while (!cursor.isAtEnd && cursor.column === column && this.#isKey());
    return this.#endedAt(column, object);
  }

  /** After a collection comes less indented text. The caller finds text with the same indentation. */
  #endedAt(column: number, value: JsonValue): JsonValue {
    if (!this.#cursor.isAtEnd && this.#cursor.column > column) throw this.#wrongIndentation();
    // The beginning of the line, where callers look for the next entry.
    this.#cursor.advance(-this.#cursor.column);
    return value;
  }

  #isDash(): boolean {
    return this.#cursor.sees(/-(?=[ \n])/y);
  }

  #isListAt(column: number): boolean {
    return !this.#cursor.isAtEnd && this.#cursor.column === column && this.#isDash();
  }

  /** Whether a key begins here: a string in one line, and a colon. */
  #isKey(): boolean {
    const cursor = this.#cursor;
    if (cursor.sees(/"(?:[^"\\\n]|\\[^\n])*" *:(?=[ \n])|'(?:[^'\n]|'')*' *:(?=[ \n])/y))
      return true;
    const start = cursor.at;
    const isKey = cursor.take(plain) !== undefined && cursor.sees(/ *:(?=[ \n])/y);
    cursor.moveTo(start);
    return isKey;
  }

  #key(): string {
    const cursor = this.#cursor;
    const isQuoted = cursor.sees(/["']/y);
    const text = isQuoted ? quotedScalar(cursor, 0) : (cursor.take(plain) ?? "");
    cursor.take(/ *:/y);
    return this.#nodes.key(text, isQuoted);
  }

  #wrongIndentation(): Error {
    if (this.#cursor.peek() === "\t" || this.#cursor.peek() === "?")
      return this.#cursor.unexpected();
    return this.#cursor.problem(
      "is not YAML: the line belongs to nothing before it: check its indentation",
    );
  }
}

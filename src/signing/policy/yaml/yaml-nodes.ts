import type { JsonObject, JsonValue } from "../../../json/json-value";
import { plainValue } from "./plain-scalar";
import type { Cursor } from "./cursor";
import type { LineIndex } from "./line-index";
import { YamlProblem } from "./yaml-problem";

/** The deepest nesting of objects and lists. */
const maxDepth = 32;
const maxNodes = 20_000;
const maxKeyLength = 1_024;

/** An anchor and a tag before a node. */
export interface NodeProperties {
  readonly anchor?: string | undefined;
  readonly tag?: string | undefined;
}

interface Anchored {
  readonly value: JsonValue;
  readonly nodes: number;
  readonly height: number;
}

type Kind = "str" | "map" | "seq";

const tags = new Map<string, Kind>([
  ["!!str", "str"],
  ["!!map", "map"],
  ["!!seq", "seq"],
]);

/**
 * Makes the values of a document: counts them, and knows the anchors.
 *
 * An alias stands for the last node before it with that anchor. Its value is the one that was read there, so
 * what is inside of it keeps its meaning.
 *
 * @see https://yaml.org/spec/1.2.2/#71-alias-nodes
 */
export class YamlNodes {
  readonly #cursor: Cursor;
  readonly #lines: LineIndex;
  readonly #anchors = new Map<string, Anchored | symbol>();
  #count = 0;

  constructor(cursor: Cursor, lines: LineIndex) {
    this.#cursor = cursor;
    this.#lines = lines;
  }

  /** Reads the properties of a node; undefined if it has none. */
  properties(): NodeProperties | undefined {
    let anchor: string | undefined;
    let tag: string | undefined;
    for (;;) {
      const mark = this.#cursor.peek();
      if (mark === "&" && anchor === undefined)
        anchor = this.#name("an anchor", /[\w-]+(?=[ \n])/y);
      else if (mark === "!" && tag === undefined) tag = this.#tag();
      else break;
      this.#cursor.take(/ +/y);
    }
    return anchor === undefined && tag === undefined ? undefined : { anchor, tag };
  }

  /** Reads an alias. Depth is that of the values that it stands for. */
  alias(depth: number): JsonValue {
    const name = this.#name("an alias", /[\w-]+(?=[ \n,\]}])/y);
    const known = this.#anchors.get(name);
    const quoted = JSON.stringify(name);
    if (known === undefined) throw this.#cursor.problem(`has no anchor ${quoted} before its alias`);
    if (typeof known === "symbol")
      throw this.#cursor.problem(`has the anchor ${quoted} around its own alias`);
    this.#add(known.nodes);
    if (depth + known.height > maxDepth + 1) throw this.tooDeep();
    return known.value;
  }

  /** Reads a node with its properties. */
  node(
    { anchor, tag }: NodeProperties,
    depth: number,
    read: (isString: boolean) => { readonly kind: Kind | "plain"; readonly value: JsonValue },
  ): JsonValue {
    if (depth > maxDepth) throw this.tooDeep();
    const before = this.#count;
    this.#add(1);
    const open = Symbol(anchor);
    if (anchor !== undefined) this.#anchors.set(anchor, open);
    const { kind, value } = read(tag === "str");
    if (tag !== undefined && tag !== "str" && tag !== kind) {
      throw this.#cursor.problem(`has the tag !!${tag} before another value`);
    }
    if (tag === "str" && typeof value !== "string") {
      throw this.#cursor.problem("has the tag !!str before another value");
    }
    // Inside, the name may have been given again.
    if (anchor !== undefined && this.#anchors.get(anchor) === open) {
      const nodes = this.#count - before;
      this.#anchors.set(anchor, { value, nodes, height: heightOf(value) });
    }
    return value;
  }

  /** The value of a scalar without quotes. */
  plain(text: string, isString: boolean, line: number): JsonValue {
    if (isString) return text;
    const read = plainValue(text);
    if ("problem" in read) throw new YamlProblem(line, read.problem);
    return read.value;
  }

  /** Starts an object; the function adds a member to it. */
  object(): {
    readonly object: JsonObject;
    readonly add: (name: string, line: number, read: () => JsonValue) => void;
  } {
    const object = Object.create(null) as Record<string, JsonValue>;
    const add = (name: string, line: number, read: () => JsonValue): void => {
      if (name === "__proto__") throw this.#cursor.problem("must not use the key __proto__");
      if (name in object) {
        const quoted = JSON.stringify(name.slice(0, 80));
        throw this.#cursor.problem(`has the key ${quoted} twice in one object`);
      }
      object[name] = null;
      this.#lines.set(object, name, line);
      object[name] = read();
    };
    return { object, add };
  }

  /** The name of a key; without quotes, it must be a string. */
  key(text: string, isQuoted: boolean): string {
    if (text.length > maxKeyLength) {
      throw this.#cursor.problem(`has a key with more than ${maxKeyLength} characters`);
    }
    if (isQuoted) return text;
    const value = this.plain(text, false, this.#cursor.line);
    if (typeof value === "string") return value;
    throw this.#cursor.problem(`has the key ${text}, which is not a string: put it in quotes`);
  }

  /** Remembers the line of a list's item. */
  item(list: readonly JsonValue[], line: number): void {
    this.#lines.set(list, String(list.length), line);
  }

  tooDeep(): Error {
    return this.#cursor.problem(`has more than ${maxDepth} levels`);
  }

  #add(nodes: number): void {
    this.#count += nodes;
    if (this.#count > maxNodes) throw this.#cursor.problem(`has more than ${maxNodes} values`);
  }

  #name(what: string, expression: RegExp): string {
    this.#cursor.advance(1);
    const name = this.#cursor.take(expression);
    if (name !== undefined) return name;
    const rule = "must consist of letters, digits, _ and -, and white space must follow";
    throw this.#cursor.problem(`is not YAML that is supported: the name of ${what} ${rule}`);
  }

  #tag(): Kind {
    const tag = this.#cursor.take(/[^ \n,[\]{}]+/y) ?? "!";
    const kind = tags.get(tag);
    if (kind !== undefined && this.#cursor.sees(/[ \n]/y)) return kind;
    const shown = JSON.stringify(tag.slice(0, 80));
    throw this.#cursor.problem(`must not have the tag ${shown}: only !!str, !!map and !!seq`);
  }
}

/** The levels of a value; 1 for a scalar. */
function heightOf(value: JsonValue): number {
  if (typeof value !== "object" || value === null) return 1;
  let height = 0;
  for (const each of Object.values(value)) height = Math.max(height, heightOf(each));
  return height + 1;
}

import {
  type Alias,
  isAlias,
  isScalar,
  isSeq,
  type Pair,
  type ParsedNode,
  type Scalar,
} from "yaml";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../json/plain-json";
import { yamlProblem } from "./yaml-subset";

/** The deepest nesting of objects and lists. */
export const maxDepth = 32;
const maxNodes = 20_000;

/**
 * Makes the value of a document. Counts its nodes, and remembers the anchors.
 *
 * An alias refers to the last node before it with that anchor. Its value is the one that was read there, so that
 * everything inside of it keeps its meaning.
 *
 * @see https://yaml.org/spec/1.2.2/#71-alias-nodes
 */
export class YamlReader {
  readonly #anchors = new Map<
    string,
    { readonly value: JsonValue; readonly nodes: number; readonly height: number } | symbol
  >();
  #count = 0;
  #at = 0;
  readonly #text: string;
  readonly #lineOf: (offset: number) => number;
  readonly #lines: LineIndex;

  constructor(text: string, lineOf: (offset: number) => number, lines: LineIndex) {
    this.#text = text;
    this.#lineOf = lineOf;
    this.#lines = lines;
  }

  value(node: ParsedNode | null, depth: number): JsonValue {
    if (node === null) return null;
    [this.#at] = node.range;
    if (isAlias(node)) return this.#alias(node, depth);
    if (depth > maxDepth) throw this.#tooDeep();
    const before = this.#count;
    this.#add(1);
    const { anchor } = node;
    const open = Symbol(anchor);
    if (anchor !== undefined) this.#anchors.set(anchor, open);
    const value = this.#content(node, depth);
    // The content may have the same anchor again.
    if (anchor !== undefined && this.#anchors.get(anchor) === open) {
      const nodes = this.#count - before;
      this.#anchors.set(anchor, { value, nodes, height: heightOf(value) });
    }
    return value;
  }

  #content(node: Exclude<ParsedNode, Alias.Parsed>, depth: number): JsonValue {
    if (isScalar(node)) return this.#scalar(node);
    if (isSeq(node)) {
      const list: JsonValue[] = [];
      for (const item of node.items) {
        this.#lines.set(list, String(list.length), this.#lineOf(item.range[0]));
        list.push(this.value(item, depth + 1));
      }
      return list;
    }
    if (node.flow === true && this.#text.charAt(node.range[0]) !== "{") {
      throw this.#problem("has YAML that is not supported: a list must not have pairs");
    }
    return this.#object(node.items, depth);
  }

  #object(pairs: readonly Pair<ParsedNode, ParsedNode | null>[], depth: number): JsonObject {
    const object = Object.create(null) as Record<string, JsonValue>;
    for (const { key, value } of pairs) {
      const name = this.#key(key);
      if (value === null) {
        const quoted = JSON.stringify(name.slice(0, 80));
        throw this.#problem(`has YAML that is not supported: ${quoted} needs ": " and a value`);
      }
      if (name === "__proto__") throw this.#problem("must not use the key __proto__");
      if (name in object) {
        const quoted = JSON.stringify(name.slice(0, 80));
        throw this.#problem(`has the key ${quoted} twice in one object`);
      }
      this.#lines.set(object, name, this.#lineOf(this.#at));
      object[name] = this.value(value, depth + 1);
    }
    return object;
  }

  /** The name of a key; without quotes, it must be a string. */
  #key(node: ParsedNode): string {
    [this.#at] = node.range;
    if (node.anchor !== undefined || node.tag !== undefined) {
      throw this.#problem("has YAML that is not supported: a key must not have an anchor or a tag");
    }
    if (this.#text.slice(node.range[0], node.range[1]).includes("\n")) {
      throw this.#problem("has YAML that is not supported: a key must be in one line");
    }
    const name = isScalar(node) ? this.#scalar(node) : null;
    if (typeof name === "string") return name;
    const shown = JSON.stringify(this.#text.slice(node.range[0], node.range[1]).slice(0, 80));
    throw this.#problem(`has the key ${shown}, which is not a string: put it in quotes`);
  }

  #scalar(node: Scalar.Parsed): JsonValue {
    const text = String(node.value);
    if (/[\ud800-\udfff]/u.test(text)) {
      throw this.#problem("has an escape that is half of a character");
    }
    const { type, tag, range } = node;
    if (type === "BLOCK_LITERAL" || type === "BLOCK_FOLDED") {
      // The library adds a line break to the last line of a document without one.
      const isCutOff = range[1] === this.#text.length && !this.#text.endsWith("\n");
      return isCutOff ? text.replace(/\n$/, "") : text;
    }
    if (type !== "PLAIN") return text;
    if (text.includes("\t")) throw this.#problem("has a tab in a string without quotes");
    if (tag !== undefined) return text;
    const read = plainValue(text);
    if ("problem" in read) throw this.#problem(read.problem);
    return read.value;
  }

  #alias({ source }: Alias.Parsed, depth: number): JsonValue {
    const known = this.#anchors.get(source);
    const quoted = JSON.stringify(source);
    if (known === undefined) throw this.#problem(`has no anchor ${quoted} before its alias`);
    if (typeof known === "symbol") {
      throw this.#problem(`has the anchor ${quoted} around its own alias`);
    }
    this.#add(known.nodes);
    if (depth + known.height > maxDepth + 1) throw this.#tooDeep();
    return known.value;
  }

  #add(nodes: number): void {
    this.#count += nodes;
    if (this.#count > maxNodes) throw this.#problem(`has more than ${maxNodes} values`);
  }

  #tooDeep(): Error {
    return this.#problem(`has more than ${maxDepth} levels`);
  }

  #problem(problem: string): Error {
    return yamlProblem("YAML", problem, { at: this.#lineOf(this.#at) });
  }
}

/** The levels of a value; 1 for a scalar. */
function heightOf(value: JsonValue): number {
  if (typeof value !== "object" || value === null) return 1;
  let height = 0;
  for (const each of Object.values(value)) height = Math.max(height, heightOf(each));
  return height + 1;
}

const values = new Map<string, boolean | null>([
  ...["", "~", "null", "Null", "NULL"].map((text) => [text, null] as const),
  ...["true", "True", "TRUE"].map((text) => [text, true] as const),
  ...["false", "False", "FALSE"].map((text) => [text, false] as const),
]);

/** The numbers that all versions and readers of YAML read alike. */
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+(?:[eE][-+]\d+)?)?$/;

/**
 * Scalars that readers understand differently: words of YAML 1.1 for true and false, its numbers (octal,
 * binary, with `_`, with base 60) and dates, numbers that only YAML 1.2 has, and the merge key.
 *
 * @see https://yaml.org/type/
 */
const ambiguous = [
  /^(?:y|yes|n|no|on|off)$/i,
  /^[-+]?(?:0b[01_]+|0o[0-7_]+|0x[\da-f_]+)$/i,
  /^[-+]?(?:[\d_]+\.?[\d_]*|\.[\d_]+)(?:e[-+]?[\d_]+)?$/i,
  /^[-+]?[\d_]+(?::[\d_]+)+(?:\.[\d_]*)?$/,
  /^[-+]?\.(?:inf|nan)$/i,
  /^\d{4}-\d\d?-\d\d?(?:[Tt \t].*)?$/,
  /^(?:=|<<)$/,
];

function plainValue(text: string): { readonly value: JsonValue } | { readonly problem: string } {
  const value = values.get(text);
  if (value !== undefined) return { value };
  if (number.test(text)) return numberValue(text);
  // All ambiguous scalars are shorter, so the expressions are not tried on long strings.
  if (text.length > 80 || !ambiguous.some((each) => each.test(text))) return { value: text };
  const quoted = JSON.stringify(text);
  return {
    problem: `has ${quoted} without quotes, which readers of YAML understand differently: write ${quoted} with quotes for a string, or true, false or a decimal number`,
  };
}

function numberValue(text: string): { readonly value: number } | { readonly problem: string } {
  const value = Number(text);
  const isKept = text.includes(".") ? Number.isFinite(value) : Number.isSafeInteger(value);
  // A minus zero would not be equal to zero.
  if (isKept && !Object.is(value, -0)) return { value };
  return { problem: `has the number ${text.slice(0, 40)}, which JSON cannot represent exactly` };
}

/** The lines in which the members of objects and lists were written, for messages. */
export class LineIndex {
  readonly #lines = new WeakMap<object, Map<string, number>>();
  readonly #first: number;

  /** @param first the line of the document's value */
  constructor(first: number) {
    this.#first = first;
  }

  /** Remembers the line of a member, by its name or index. */
  set(container: object, name: string, line: number): void {
    const lines = this.#lines.get(container) ?? new Map<string, number>();
    lines.set(name, line);
    this.#lines.set(container, lines);
  }

  /**
   * The line of a field; of the object around it if it is missing.
   *
   * @param path names and indexes, such as `spec.images[0].glob`
   */
  lineOf(value: JsonValue, path: string): number {
    let line = this.#first;
    let rest = path;
    let at = value;
    while (rest !== "") {
      if (typeof at !== "object" || at === null) break;
      const name = isJsonObject(at) ? nameOf(Object.keys(at), rest) : /^\[(\d+)\]/.exec(rest)?.[1];
      if (name === undefined) break;
      line = this.#lines.get(at)?.get(name) ?? line;
      rest = rest.slice(isJsonObject(at) ? name.length : name.length + 2).replace(/^\./, "");
      at = (isJsonObject(at) ? at[name] : at[Number(name)]) ?? null;
    }
    return line;
  }
}

function nameOf(names: readonly string[], path: string): string | undefined {
  return names.find((name) => {
    const next = path.charAt(name.length);
    return path.startsWith(name) && (next === "" || next === "." || next === "[");
  });
}

import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  parseAllDocuments,
  type Document,
  type Node,
} from "yaml";
import type { JsonObject, JsonValue } from "../../../json/json-value";

/** One parsed document, or what is wrong with it. */
export type YamlDocument = { readonly value: JsonValue } | { readonly problem: string };

const maxBytes = 256 * 1024;
const maxDepth = 32;
const maxNodes = 20_000;
// `- - - …` in one line nests deeply with few bytes.
const maxNestedInLine = 8;

/**
 * Parses documents of YAML 1.2, which includes JSON.
 *
 * As strict as the JSON parser: keys are unique strings, `__proto__` is not allowed, size, depth and the
 * expansion of aliases are limited, and only the tags of JSON's types are allowed. Unquoted `yes`, a boolean
 * in YAML 1.1, is a string. Objects have no prototype.
 *
 * @see https://yaml.org/spec/1.2.2/
 */
export function readYamlDocuments(text: string): readonly YamlDocument[] | { problem: string } {
  if (Buffer.byteLength(text) > maxBytes) {
    return { problem: `is larger than ${maxBytes / 1024} KiB` };
  }
  // The parser recurses: deep nesting, possible with few bytes, would overflow the stack.
  if (isTooDeep(text)) return { problem: `has more than ${maxDepth} levels` };
  const documents = parseAllDocuments(text, {
    version: "1.2",
    schema: "core",
    merge: false,
    stringKeys: true,
    // The library's check takes quadratic time; ours does not.
    uniqueKeys: false,
    prettyErrors: true,
    logLevel: "silent",
  });
  return Array.isArray(documents) ? documents.map(read) : [];
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  let inLine = 0;
  let isContent = false;
  for (const token of new Lexer().lex(text)) {
    if (isContent) isContent = false;
    else if (token === "\u001f") isContent = true;
    else if (token === "[" || token === "{") depth += 1;
    else if (token === "]" || token === "}") depth -= 1;
    else if (token === "-" || token === "?") inLine += 1;
    if (token.includes("\n")) inLine = 0;
    if (depth > maxDepth || inLine > maxNestedInLine) return true;
  }
  return false;
}

function read(document: Document): YamlDocument {
  const [fault] = [...document.errors, ...document.warnings];
  if (fault !== undefined) return { problem: firstLine(fault.message) };
  const { explicit, version } = document.directives?.yaml ?? { explicit: false, version: "1.2" };
  if (explicit === true && version !== "1.2") {
    return {
      problem: `is written for YAML ${version}, in which yes is not a string: only YAML 1.2 is supported`,
    };
  }
  try {
    return { value: new YamlReader().value(document.contents, 0) };
  } catch (error) {
    if (error instanceof Refused) return { problem: error.message };
    throw error;
  }
}

function firstLine(message: string): string {
  return `is not YAML: ${(message.split("\n")[0] ?? "").replace(/:$/, "")}`;
}

class Refused extends Error {}

const tags = new Set(
  ["str", "map", "seq", "int", "float", "bool", "null"].map((type) => `tag:yaml.org,2002:${type}`),
);

class YamlReader {
  readonly #anchors = new Map<string, Node>();
  #count = 0;

  value(node: Node | null, depth: number): JsonValue {
    this.#count += 1;
    if (this.#count > maxNodes) throw new Refused(`has more than ${maxNodes} values`);
    if (depth > maxDepth) throw new Refused(`has more than ${maxDepth} levels`);
    if (node === null) return null;
    if (isAlias(node)) {
      const target = this.#anchors.get(node.source);
      if (target === undefined)
        throw new Refused(`uses the anchor &${node.source} before it is defined`);
      return this.value(target, depth + 1);
    }
    if (node.tag !== undefined && !tags.has(node.tag)) {
      throw new Refused(`must not have the tag ${JSON.stringify(node.tag)}`);
    }
    const anchor = isScalar(node) || isSeq(node) || isMap(node) ? node.anchor : undefined;
    if (anchor !== undefined) this.#anchors.set(anchor, node);
    if (isScalar(node)) return scalar(node.value);
    if (isSeq<Node | null>(node)) return node.items.map((item) => this.value(item, depth + 1));
    if (isMap<Node, Node | null>(node)) return this.#object(node.items, depth);
    throw new Refused("has a value that JSON cannot represent");
  }

  #object(
    pairs: readonly { readonly key: Node; readonly value: Node | null }[],
    depth: number,
  ): JsonObject {
    const object = Object.create(null) as Record<string, JsonValue>;
    for (const { key, value } of pairs) {
      const name = isScalar(key) ? key.value : undefined;
      if (typeof name !== "string") throw new Refused("has a key that is not a string");
      if (name === "__proto__") throw new Refused("must not use the key __proto__");
      if (name in object)
        throw new Refused(`has the key ${JSON.stringify(name)} twice in one object`);
      object[name] = this.value(value, depth + 1);
    }
    return object;
  }
}

function scalar(value: unknown): JsonValue {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new Refused("has a value that JSON cannot represent");
}

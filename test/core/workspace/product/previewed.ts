import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parse } from "@cdktf/hcl2json";
import { Testing, type TerraformStack } from "cdktf";
import { isObject } from "../../../../src/core/json/plain-json";
import type { Json } from "../synthesized";

/** What a platform evaluates before it runs Terraform; it reads all of it from native syntax alone. */
const readByPreview = /^(?:coder|workspace)_(?:parameter|secret|workspace_(?:owner|preset|tags))$/;

/** Blocks by their address, in Terraform's JSON. */
type Blocks = ReadonlyMap<string, unknown>;

/**
 * Synthesizes a stack, and reads its files with HashiCorp's parser of native syntax.
 *
 * @returns what the platform reads but is not in native syntax or not the same there, and what is lost
 */
export async function previewProblems(stack: TerraformStack): Promise<string[]> {
  const all = blocksOf(JSON.parse(Testing.synth(stack)) as Json);
  const out = Testing.fullSynth(stack);
  const folder = join(out, "stacks", stack.node.id);
  const native = new Map<string, unknown>();
  let rest: Blocks = new Map();
  try {
    for (const file of readdirSync(folder).filter((name) => /\.tf(?:\.json)?$/.test(name))) {
      const text = readFileSync(join(folder, file), "utf8");
      if (file === "cdk.tf.json") rest = blocksOf(JSON.parse(text) as Json);
      else
        for (const [address, block] of blocksOf(await hcl(file, text))) native.set(address, block);
    }
  } finally {
    rmSync(out, { recursive: true });
  }
  const wanted = reached(all);
  return [...all].flatMap(([address, block]) => {
    const isNative = wanted.has(address);
    if (rest.has(address) === isNative)
      return [`${address} is ${isNative ? "" : "not "}in the JSON`];
    if (native.has(address) !== isNative) return [`${address} is not in native syntax`];
    if (!isNative || isSame(native.get(address), block, address)) return [];
    return [
      `${address} is not the same: ${JSON.stringify(native.get(address))} ${JSON.stringify(block)}`,
    ];
  });
}

const hcl = async (file: string, text: string): Promise<Json> => await parse(file, text);

const prefixes = { variable: "var", module: "module", locals: "local" } as const;

/** The blocks that others can refer to. In native syntax, each name has a list of blocks. */
function blocksOf(configuration: Json): Blocks {
  const found = new Map<string, unknown>();
  for (const [section, prefix] of Object.entries(prefixes)) {
    for (const named of listOf(configuration[section])) {
      for (const [name, body] of entries(named)) found.set(`${prefix}.${name}`, body);
    }
  }
  for (const [type, named] of entries(configuration["data"])) {
    for (const [name, body] of entries(named)) found.set(`data.${type}.${name}`, body);
  }
  return found;
}

const listOf = (value: unknown): readonly unknown[] => (value === undefined ? [] : [value].flat());

const entries = (value: unknown): [string, unknown][] =>
  isObject(value) ? Object.entries(value).filter(([name]) => name !== "//") : [];

/** The addresses of all that the platform reads, and of all that it refers to. */
function reached(blocks: Blocks): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [...blocks.keys()].filter((address) => readByPreview.test(typeOf(address)));
  for (let address = open.pop(); address !== undefined; address = open.pop()) {
    if (found.has(address) || !blocks.has(address)) continue;
    found.add(address);
    for (const text of strings(blocks.get(address))) {
      for (const [name] of text.matchAll(/(?:data\.)?[\w-]+\.[\w-]+/g)) open.push(name);
    }
  }
  return found;
}

const typeOf = (address: string): string => /^data\.([\w-]+)\./.exec(address)?.[1] ?? "";

/** The strings that can contain references; `depends_on` has references without braces. */
function* strings(value: unknown, isBare = false): Generator<string> {
  if (typeof value === "string") {
    if (isBare || value.includes("{")) yield value;
  } else if (Array.isArray(value)) {
    for (const each of value) yield* strings(each, isBare);
  } else {
    for (const [name, each] of entries(value)) {
      yield* strings(name);
      yield* strings(each, name === "depends_on");
    }
  }
}

/**
 * Whether the parser read the same as the JSON contains. A block in JSON may be an object.
 *
 * @param address of a whole block; empty for what is inside
 */
function isSame(native: unknown, json: unknown, address: string): boolean {
  if (Array.isArray(native)) {
    const all = listOf(json);
    return (
      native.length === all.length &&
      native.every((each, index) => isSame(each, all[index], address))
    );
  }
  if (isObject(native)) {
    const expected = new Map(entries(json).filter(([, each]) => !isEmptyList(each)));
    const names = new Set([...Object.keys(native), ...expected.keys()]);
    return [...names].every((name) =>
      isSame(native[name], asNative(name, expected.get(name), address), ""),
    );
  }
  // The parser evaluates an exact number, and JSON.parse rounds it.
  if (typeof native === "number" && typeof json === "string") {
    return /^\$\{-?\d+\}$/.test(json) && native === Number(json.slice(2, -1));
  }
  return JSON.stringify(native) === JSON.stringify(json);
}

/** No blocks leave no trace. */
const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** Expressions without braces, and strings that are not templates, are special in JSON alone. */
function asNative(name: string, value: unknown, address: string): unknown {
  const isVariable = address.startsWith("var.");
  if (name === "depends_on" || name === "provider" || (isVariable && name === "type")) {
    return Array.isArray(value) ? value.map(braced) : braced(value);
  }
  return isVariable && name !== "validation" ? literal(value) : value;
}

/** In a variable, Terraform reads most strings of JSON literally. */
function literal(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll(/[$%](?=\{)/g, "$&$&");
  if (Array.isArray(value)) return value.map(literal);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, literal(each)]))
    : value;
}

const braced = (value: unknown): unknown =>
  typeof value === "string" && !value.startsWith("${") ? `\${${value}}` : value;

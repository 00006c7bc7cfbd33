import { isObject, type Properties } from "../../../json/is-object";
import { nativeText } from "./native-text";

/**
 * Distinguishes blocks from attributes, since both are objects, or lists of objects, in JSON: returns the
 * grammar inside a block of this name; undefined for an attribute.
 */
export type Grammar = (name: string) => Grammar | undefined;

/** The grammar of a block without blocks. */
export const attributesOnly: Grammar = () => undefined;

/** The `lifecycle` block that Terraform accepts in every data source. */
const lifecycle: Grammar = (name) => (name.endsWith("condition") ? attributesOnly : undefined);

/** Names of a block's attributes whose strings are expressions, without a template's braces. */
export type BareNames = ReadonlySet<string>;

/** The meta-arguments of data sources and modules that are references. */
export const metaReferences: BareNames = new Set(["depends_on", "provider", "providers"]);

const none: BareNames = new Set();
const iterator: BareNames = new Set(["iterator"]);

/** Converts a block of Terraform's JSON to native syntax. */
export function nativeBlock(
  head: string,
  body: Properties,
  grammar: Grammar,
  bareNames: BareNames = metaReferences,
  indent = "",
): string {
  const inner = `${indent}  `;
  const attributes: string[] = [];
  const blocks: string[] = [];
  for (const [name, value] of Object.entries(body)) {
    if (name === "//") continue;
    if (name === "dynamic") {
      for (const [label, each] of Object.entries(isObject(value) ? value : {})) {
        const content = grammar(label) ?? attributesOnly;
        const dynamic: Grammar = (part) => (part === "content" ? content : undefined);
        blocks.push(...repeated(`dynamic ${nativeText(label)}`, each, dynamic, iterator, inner));
      }
      continue;
    }
    const nested = name === "lifecycle" ? lifecycle : grammar(name);
    if (nested !== undefined) blocks.push(...repeated(name, value, nested, none, inner));
    else {
      const written = bareNames.has(name) ? bare(value, inner) : nativeValue(value, inner);
      attributes.push(`${inner}${name} = ${written}\n`);
    }
  }
  const content = [attributes.join(""), ...blocks].filter((part) => part !== "").join("\n");
  return content === "" ? `${indent}${head} {}\n` : `${indent}${head} {\n${content}${indent}}\n`;
}

function repeated(
  head: string,
  value: unknown,
  grammar: Grammar,
  bareNames: BareNames,
  indent: string,
): string[] {
  const bodies: readonly unknown[] = Array.isArray(value) ? value : [value];
  return bodies.filter(isObject).map((body) => nativeBlock(head, body, grammar, bareNames, indent));
}

function bare(value: unknown, indent: string): string {
  if (Array.isArray(value)) return `[${value.map((each) => bare(each, indent)).join(", ")}]`;
  if (isObject(value)) return object(value, indent, bare);
  return typeof value === "string" ? value.replace(/^\$\{(.*)\}$/s, "$1") : "null";
}

/** Converts a value of Terraform's JSON to an expression in native syntax. */
export function nativeValue(value: unknown, indent: string): string {
  if (typeof value === "string") return nativeText(value);
  if (Array.isArray(value)) {
    return `[${value.map((each: unknown) => nativeValue(each, indent)).join(", ")}]`;
  }
  return isObject(value) ? object(value, indent, nativeValue) : JSON.stringify(value);
}

function object(
  value: Properties,
  indent: string,
  written: (each: unknown, indent: string) => string,
): string {
  const inner = `${indent}  `;
  const lines = Object.entries(value).map(
    ([key, each]) => `${inner}${nativeText(key)} = ${written(each, inner)}\n`,
  );
  return lines.length === 0 ? "{}" : `{\n${lines.join("")}${indent}}`;
}

import { isObject, type Properties } from "../../../json/plain-json";
import { templates } from "../../token/is-token";

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

/**
 * Converts a string of Terraform's JSON to native syntax: quoted, with its templates unchanged.
 *
 * In the decoded JSON string a backslash is an ordinary character. Template escapes (`$${`, `%%{`) are the
 * same in both.
 *
 * @see https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md#template-expressions
 */
export function nativeText(text: string): string {
  let result = "";
  let from = 0;
  let isTrimmed = false;
  for (const { at, text: template, inside } of templates(text)) {
    const before = { isTrimmed, isTrimmedAfter: inside?.startsWith("~") === true };
    result += literals(text.slice(from, at), before) + template;
    from = at + template.length;
    isTrimmed = inside?.endsWith("~") === true;
  }
  return `"${result}${literals(text.slice(from), { isTrimmed, isTrimmedAfter: false })}"`;
}

/** Whether the templates before and after a literal part remove the spaces next to them (`~`). */
interface Trimming {
  readonly isTrimmed: boolean;
  readonly isTrimmedAfter: boolean;
}

/**
 * In JSON, a `~` removes the spaces of the nearest line only, in native syntax those of all lines. An empty
 * interpolation protects the other lines.
 */
function literals(text: string, { isTrimmed, isTrimmedAfter }: Trimming): string {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const [first = "", second = ""] = lines;
  const before = isTrimmed && first.trim() === "" && /^\s/.test(second) ? 1 : 0;
  const after = lines.length - (isTrimmedAfter && lines.at(-1)?.trim() === "" ? 1 : 0);
  if (before >= after) return literal(text);
  return [lines.slice(0, before), lines.slice(before, after), lines.slice(after)]
    .filter((part) => part.length > 0)
    .map((part) => literal(part.join("")))
    .join('${""}');
}

const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

function literal(text: string): string {
  // eslint-disable-next-line no-control-regex -- editors do not show them
  return text.replaceAll(/["\\\u0000-\u001f\u007f]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, "0");
    return escapes[character] ?? `\\u${code}`;
  });
}

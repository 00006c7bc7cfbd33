import { blocksIn, type ConfigurationBlock } from "../../../hcl/configuration-blocks";
import { codeOf } from "../../../hcl/template-sequences";
import { argumentsOf } from "./block-arguments";

/**
 * The attribute with the value that a parameter has in the form, as a list of one. It is set only if this value
 * may differ from the default.
 */
export const firstReading = "trivet_first";

/** Returns the names of the parameters in a file whose number depends on a `count`. */
export function countedParameters(file: string): readonly string[] {
  return blocksIn(file).flatMap((block) =>
    isParameter(block) && hasCount(file.slice(block.start, block.end))
      ? (block.labels[1] ?? [])
      : [],
  );
}

export const isParameter = ({ type, labels: [of = ""] }: ConfigurationBlock): boolean =>
  type === "data" && of.endsWith("_parameter");

const hasCount = (block: string): boolean => [...argumentsOf(block, /\bcount/)].length > 0;

/**
 * Lets a parameter be read as the platform does: before it knows the values of parameters with a `count`. The
 * form keeps what it reads first. So a default that contains such a value has none in the form, or what `try`
 * gives instead, and a `count` for which `try` gives something hides its parameter. A parameter with a `count` is
 * read later itself.
 */
export function withFirstReading(block: string, counted: ReadonlySet<string>): string {
  let result = "";
  let from = 0;
  let first = "";
  // A value can end with a comment: what follows is on a line of its own.
  for (const [start, end, valueStart] of argumentsOf(block, /\b(?:count|default)/)) {
    const value = block.slice(valueStart, end);
    const early = readEarly(value, counted);
    if (early === value) continue;
    if (block.startsWith("default", start)) {
      first = hasCount(block) ? "" : `\n${firstReading} = [try(${early}\n, null)]\n`;
    } else {
      result += `${block.slice(from, valueStart)}try(${early}\n, ${value}\n)`;
      from = end;
    }
  }
  const rest = block.slice(from);
  return `${result}${rest.slice(0, -1)}${first}${rest.slice(-1)}`;
}

/** Replaces references to counted parameters with objects that have no value. */
function readEarly(value: string, counted: ReadonlySet<string>): string {
  // A here document cannot be an argument of a function everywhere.
  if (value.includes("<<")) return value;
  let result = "";
  let from = 0;
  for (const { 0: all, 1: name = "", index } of codeOf(value, "expression").matchAll(reference)) {
    if (!counted.has(name)) continue;
    result += value.slice(from, index) + withoutValue(name);
    from = index + all.length;
  }
  return result + value.slice(from);
}

const reference =
  /(?<![\w.-])data\s*\.\s*\w+_parameter\s*\.\s*([\p{ID_Start}_][\p{ID_Continue}-]*)/gu;

const withoutValue = (name: string): string => `local.trivet_counted_${name}`;

/** Returns the locals to which {@link withFirstReading} refers. */
export function countedLocals(
  names: Iterable<string>,
  typePrefix: string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...names].map((name) => [
      withoutValue(name).slice("local.".length),
      `\${[for each in data.${typePrefix}parameter.${name} : { name = each.name }]}`,
    ]),
  );
}

import type { JsonValue } from "../../../json/json-value";

const values = new Map<string, boolean | null>([
  ...["", "~", "null", "Null", "NULL"].map((text) => [text, null] as const),
  ...["true", "True", "TRUE"].map((text) => [text, true] as const),
  ...["false", "False", "FALSE"].map((text) => [text, false] as const),
]);

/** The numbers that all versions and readers of YAML read alike. */
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+(?:[eE][-+]\d+)?)?$/;

/**
 * What some readers take for something else than others: words of YAML 1.1 for true and false, its numbers
 * (octal, binary, with `_`, with base 60) and dates, numbers that only YAML 1.2 has, and the merge key.
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

/** The value of a scalar without quotes, or a problem. */
export function plainValue(
  text: string,
): { readonly value: JsonValue } | { readonly problem: string } {
  const value = values.get(text);
  if (value !== undefined) return { value };
  if (number.test(text)) return numberValue(text);
  // Nothing in the list is as long: the expressions are not tried on long strings.
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

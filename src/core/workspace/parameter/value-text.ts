import { parsedJson } from "../../json/plain-json";

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Checks whether a string is a valid number for a parameter without validation: sign, digits, fraction and
 * exponent, and finite as a double. `NaN`, `Inf`, hexadecimal digits and white space are invalid.
 */
export function isDecimalNumber(value: string): boolean {
  return decimal.test(value) && Number.isFinite(Number(value));
}

/**
 * Checks whether a string is one of the other numbers of Go: `NaN`, infinite, or in hexadecimal digits.
 *
 * @see https://pkg.go.dev/strconv#ParseFloat
 */
export const isGoNumber = (value: string): boolean =>
  /^(?:nan|[+-]?inf(?:inity)?|[+-]?0x(?=[\da-f.])[\da-f]*\.?[\da-f]*p[+-]?\d+)$/i.test(value);

const integer = /^([+-]?)0*(\d{1,19})$/;
const minInteger64 = -(2n ** 63n);
const maxInteger64 = 2n ** 63n - 1n;

/**
 * Parses a number of a parameter with validation: a signed 64-bit integer in decimal digits, with
 * leading zeros allowed.
 *
 * @returns undefined if the string is not such a number
 */
export function parseInteger64(text: string): bigint | undefined {
  // The number of digits is limited first: the cost of BigInt() grows faster than linearly.
  const [, sign, digits] = integer.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const value = sign === "-" ? -BigInt(digits) : BigInt(digits);
  return value >= minInteger64 && value <= maxInteger64 ? value : undefined;
}

const boolStrings: ReadonlySet<string> = new Set([
  "1",
  "t",
  "T",
  "TRUE",
  "true",
  "True",
  "0",
  "f",
  "F",
  "FALSE",
  "false",
  "False",
]);

/** Checks whether a string is one of the twelve values for true and false. They are case-sensitive. */
export function isBool(value: string): boolean {
  return boolStrings.has(value);
}

/**
 * Parses a list of strings: a JSON array, or `null` for the empty list. Surrounding white space is
 * allowed, trailing text is not.
 *
 * @param isPlatforms true to read null in a list as the empty string
 * @returns undefined if the string is not such a list
 */
export function parseList(text: string, isPlatforms = false): readonly string[] | undefined {
  const value = parsedJson(text);
  if (value === null) return [];
  if (!Array.isArray(value)) return undefined;
  const given: readonly unknown[] = value;
  const elements = given.map((each) => (isPlatforms ? (each ?? "") : each));
  return elements.every((element) => typeof element === "string") ? elements : undefined;
}

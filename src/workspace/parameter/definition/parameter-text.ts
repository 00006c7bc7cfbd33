const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Whether a text is a number as a parameter without validation takes it: sign, digits, fraction,
 * exponent, and finite as a double. Neither `NaN` nor `Inf`, no hexadecimal digits, no blanks.
 */
export function isDecimalNumber(text: string): boolean {
  return decimal.test(text) && Number.isFinite(Number(text));
}

const integer = /^([+-]?)0*(\d{1,19})$/;
const minInteger64 = -(2n ** 63n);
const maxInteger64 = 2n ** 63n - 1n;

/**
 * Reads a whole number as a parameter with validation takes it: digits with an optional sign, within
 * 64 bits, leading zeros allowed.
 *
 * @returns undefined when the text is none
 */
export function parseInteger64(text: string): bigint | undefined {
  // The digits are counted before a bigint is made of them: its price grows faster than the text.
  const [, sign, digits] = integer.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const value = sign === "-" ? -BigInt(digits) : BigInt(digits);
  return value >= minInteger64 && value <= maxInteger64 ? value : undefined;
}

const boolWords: ReadonlySet<string> = new Set([
  ...["1", "t", "T", "TRUE", "true", "True"],
  ...["0", "f", "F", "FALSE", "false", "False"],
]);

/** Whether a text is one of the twelve words for true and false, in these letter cases only. */
export function isBool(text: string): boolean {
  return boolWords.has(text);
}

/**
 * Reads a list of texts: a JSON array, or JSON's `null`, which is the empty list. White space around
 * it is allowed, text after it is not.
 *
 * @returns undefined when the text is no such list
 */
export function parseList(text: string): readonly string[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (value === null) return [];
  if (!Array.isArray(value)) return undefined;
  const elements: readonly unknown[] = value;
  return elements.every((element) => typeof element === "string") ? elements : undefined;
}

import { display } from "../../schema";
import { patternOf } from "../grammar/regular-expression";
import type { ParameterRules, ParameterValidation } from "./known-definition";
import { parsedJson } from "../../json/plain-json";

/**
 * Returns the reason for which a value of a parameter is invalid: a message `must …` without a final full
 * stop, or the author's own message with `{min}`, `{max}` and `{value}` replaced. Undefined if the value is
 * valid.
 *
 * Never throws: invalid rules are not applied, because `definitionProblems` reports them.
 *
 * @param previous the value in the previous build, for a parameter with `monotonic`
 */
export function valueProblem(
  rules: ParameterRules,
  value: string,
  previous?: string,
): string | undefined {
  return optionProblem(rules, value) ?? ownProblem(rules, value, previous);
}

/**
 * Returns the reason for which an option's value is invalid, like {@link valueProblem}. It must have the
 * parameter's type. If users choose several options, each option is one element of the list.
 */
export function optionValueProblem(rules: ParameterRules, value: string): string | undefined {
  return choosesSeveral(rules) ? undefined : ownProblem(rules, value, undefined);
}

const choosesSeveral = ({ type, formType }: ParameterRules): boolean =>
  type === "list(string)" && formType === "multi-select";

const optionValues = new WeakMap<ParameterRules, ReadonlySet<string>>();

function optionProblem(rules: ParameterRules, value: string): string | undefined {
  if (rules.options.length === 0) return undefined;
  let values = optionValues.get(rules);
  if (values === undefined) {
    values = new Set(rules.options.map((option) => option.value));
    optionValues.set(rules, values);
  }
  if (!choosesSeveral(rules)) {
    return values.has(value) ? undefined : `must be one of the options: ${listed(values)}`;
  }
  for (const element of parseList(value) ?? []) {
    if (!values.has(element)) {
      return `must contain only options, but ${display(element)} is not one of them: ${listed(values)}`;
    }
  }
  return undefined;
}

const maxListed = 10;

function listed(values: ReadonlySet<string>): string {
  const shown = [...values].slice(0, maxListed).map(display).join(", ");
  return values.size > maxListed ? `${shown} and ${values.size - maxListed} more` : shown;
}

function ownProblem(
  { type, validation }: ParameterRules,
  value: string,
  previous: string | undefined,
): string | undefined {
  switch (type) {
    case "string":
      return validation && patternProblem(validation, value);
    case "number":
      if (validation) return integerProblem(validation, value, previous);
      return isDecimalNumber(value) ? undefined : "must be a decimal number";
    case "bool":
      if (validation) return /^(?:true|false)$/.test(value) ? undefined : "must be true or false";
      return isBool(value) ? undefined : "must be a boolean: true or false";
    case "list(string)":
      return parseList(value) ? undefined : 'must be a JSON list of strings, such as ["a", "b"]';
  }
}

function patternProblem(validation: ParameterValidation, value: string): string | undefined {
  const { regex } = validation;
  if (typeof regex !== "string") return undefined;
  const pattern = patternOf(regex);
  if (pattern.problem !== undefined) return undefined;
  if (value.length > pattern.maxLength) {
    return `must be at most ${pattern.maxLength} characters long to be matched against its regular expression`;
  }
  if (pattern.isIn(value)) return undefined;
  return messageOr(validation, value, `must match the regular expression ${regex}`);
}

function integerProblem(
  validation: ParameterValidation,
  value: string,
  previous: string | undefined,
): string | undefined {
  const number = parseInteger64(value);
  if (number === undefined) {
    return messageOr(validation, value, "must be an integer of at most 64 bits");
  }
  const { min, max, monotonic } = validation;
  if (typeof min === "number" || typeof min === "bigint") {
    // JavaScript compares numbers and bigints exactly.
    if (number < min) return messageOr(validation, value, `must be at least ${min}`);
  }
  if (typeof max === "number" || typeof max === "bigint") {
    if (number > max) return messageOr(validation, value, `must be at most ${max}`);
  }
  const before = previous === undefined ? undefined : parseInteger64(previous);
  if (before === undefined) return undefined;
  if (monotonic === "increasing" && number < before) {
    return `must not be less than the previous value ${before}, because it may only increase`;
  }
  if (monotonic === "decreasing" && number > before) {
    return `must not be greater than the previous value ${before}, because it may only decrease`;
  }
  return undefined;
}

/** Returns the author's message if there is one, otherwise the default message. */
function messageOr(
  { error, min, max }: ParameterValidation,
  value: string,
  byDefault: string,
): string {
  if (typeof error !== "string" || error === "") return byDefault;
  const filled: Readonly<Record<string, string>> = {
    min: min === undefined || min === null ? "no minimum" : String(min),
    max: max === undefined || max === null ? "no maximum" : String(max),
    value,
  };
  // A single pass, so that placeholders inside the value are not replaced.
  return error.replaceAll(/\{(min|max|value)\}/g, (found, name: string) => filled[name] ?? found);
}

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Checks whether a string is a valid number for a parameter without validation: sign, digits, fraction and
 * exponent, and finite as a double. `NaN`, `Inf`, hexadecimal digits and white space are invalid.
 */
export function isDecimalNumber(value: string): boolean {
  return decimal.test(value) && Number.isFinite(Number(value));
}

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
 * @returns undefined if the string is not such a list
 */
export function parseList(text: string): readonly string[] | undefined {
  const value = parsedJson(text);
  if (value === null) return [];
  if (!Array.isArray(value)) return undefined;
  const elements: readonly unknown[] = value;
  return elements.every((element) => typeof element === "string") ? elements : undefined;
}

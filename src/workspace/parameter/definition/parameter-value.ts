import { display } from "../../../schema/display";
import { isBool, isDecimalNumber, parseInteger64, parseList } from "./parameter-text";
import { patternOf } from "../../grammar/regular-expression";
import type { ParameterRules, ParameterValidation } from "./parameter-rules";

export type { ParameterRules } from "./parameter-rules";

/**
 * What is wrong with a value of a parameter: a sentence `must …` without a final stop, or the author's
 * own words with `{min}`, `{max}` and `{value}` filled in. Undefined when nothing is.
 *
 * It never throws: rules that make no sense are not applied, `definitionProblems` finds them.
 *
 * @param previous the value of the build before, for a parameter that may only rise or fall
 */
export function valueProblem(
  rules: ParameterRules,
  value: string,
  previous?: string,
): string | undefined {
  return optionProblem(rules, value) ?? ownProblem(rules, value, previous);
}

/**
 * What is wrong with an option's value, as {@link valueProblem} says it. It is of the parameter's
 * type, save that where users choose several options each is one element of the list.
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
      return `must be a list of options, which ${display(element)} is not: ${listed(values)}`;
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
      if (validation) return wholeNumberProblem(validation, value, previous);
      return isDecimalNumber(value) ? undefined : "must be a decimal number";
    case "bool":
      if (validation) return /^(?:true|false)$/.test(value) ? undefined : "must be true or false";
      return isBool(value) ? undefined : "must be a boolean: true or false";
    case "list(string)":
      return parseList(value) ? undefined : 'must be a JSON list of texts, such as ["a", "b"]';
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
  return inWords(validation, value, `must match the regular expression ${regex}`);
}

function wholeNumberProblem(
  validation: ParameterValidation,
  value: string,
  previous: string | undefined,
): string | undefined {
  const number = parseInteger64(value);
  if (number === undefined) {
    return inWords(validation, value, "must be a whole number of at most 64 bits");
  }
  const { min, max, monotonic } = validation;
  if (typeof min === "number" || typeof min === "bigint") {
    // Both kinds of number compare exactly.
    if (number < min) return inWords(validation, value, `must be at least ${min}`);
  }
  if (typeof max === "number" || typeof max === "bigint") {
    if (number > max) return inWords(validation, value, `must be at most ${max}`);
  }
  const before = previous === undefined ? undefined : parseInteger64(previous);
  if (before === undefined) return undefined;
  if (monotonic === "increasing" && number < before) {
    return `must not be less than the previous value ${before}, because it may only rise`;
  }
  if (monotonic === "decreasing" && number > before) {
    return `must not be greater than the previous value ${before}, because it may only fall`;
  }
  return undefined;
}

/** The author's words where there are any; a bound that is absent is called so. */
function inWords({ error, min, max }: ParameterValidation, value: string, ours: string): string {
  if (typeof error !== "string" || error === "") return ours;
  const filled: Readonly<Record<string, string>> = {
    min: min === undefined || min === null ? "no minimum" : String(min),
    max: max === undefined || max === null ? "no maximum" : String(max),
    value,
  };
  // All in one pass: a value that holds a placeholder stays as it is.
  return error.replaceAll(/\{(min|max|value)\}/g, (found, name: string) => filled[name] ?? found);
}

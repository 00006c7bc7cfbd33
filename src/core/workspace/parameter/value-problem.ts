import { display } from "../../schema";
import { patternOf } from "../grammar/regular-expression";
import {
  isSet,
  type KnownOption,
  type ParameterRules,
  type ParameterValidation,
} from "./known-definition";
import { isBool, isDecimalNumber, isGoNumber, parseInteger64, parseList } from "./value-text";

/** A rule that a parameter or its value breaks, in this package's words and in the platform's. */
export interface ParameterProblem {
  /** A message `must …` without a final full stop, or the author's own. */
  readonly message: string;
  /** The diagnostic of coder's library. */
  readonly platform: readonly [summary: string, detail: string];
}

/** A message, and the platform's detail. */
type Words = readonly [message: string, detail: string];

interface Origin {
  /** The value in the previous build, for a parameter with `monotonic`. */
  readonly previous?: string | undefined;
  readonly isDefault?: boolean | undefined;
}

/**
 * Returns the reason for which a value of a parameter is invalid. In the author's own message, `{min}`, `{max}` and
 * `{value}` are replaced. Undefined if the value is valid.
 *
 * Never throws: invalid rules are not applied, because `definitionProblems` reports them. The platform does apply them.
 */
export function valueProblem(
  rules: ParameterRules,
  value: string,
  { previous, isDefault = false }: Origin = {},
): ParameterProblem | undefined {
  const name = isDefault ? "Default value" : "Value";
  const refused = optionProblem(rules, value, name);
  if (refused !== undefined) return refused;
  const { validation } = rules;
  const words = validation && validationProblem(rules, validation, value, previous);
  if (words !== undefined) {
    const summary = `Invalid parameter ${name.toLowerCase()} according to 'validation' block`;
    return { message: words[0], platform: [summary, words[1]] };
  }
  // What satisfies a validation has the type.
  const mistyped = validation ? undefined : typeProblem(rules, value);
  return (
    mistyped && {
      message: mistyped[0],
      platform: [`Parameter value is not of type ${quoted(rules.type)}`, mistyped[1]],
    }
  );
}

interface OptionProblem extends ParameterProblem {
  readonly index: number;
  readonly field: "name" | "value";
  /** True if an earlier option has the same name or value. The platform then reports nothing else. */
  readonly isRepeated: boolean;
}

/**
 * Returns the problems of options: names and values must be unique, and values must have the parameter's type. If users
 * choose several options, each option is one element of the list. The validation applies, too.
 *
 * @param rules without options; undefined if they are unknown
 */
export function* optionProblems(
  options: readonly KnownOption[],
  rules: ParameterRules | undefined,
): Generator<OptionProblem> {
  const seen = { name: new Set<string>(), value: new Set<string>() };
  for (const [index, option] of options.entries()) {
    for (const field of ["name", "value"] as const) {
      const given = option[field];
      if (!isSet(given) || !seen[field].has(given)) continue;
      const message = `must be unique among the options (got ${display(given)})`;
      const detail = `multiple options found with the same ${field} ${quoted(given)}`;
      const summary = `Option ${field}s must be unique.`;
      yield { index, field, isRepeated: true, message, platform: [summary, detail] };
    }
    const { name, value } = option;
    const isOpen = !isSet(value) || rules === undefined || choosesSeveral(rules);
    const problem = isOpen ? undefined : valueProblem(rules, value);
    if (problem === undefined) {
      if (isSet(name)) seen.name.add(name);
      if (isSet(value)) seen.value.add(value);
      continue;
    }
    yield {
      index,
      field: "value",
      isRepeated: false,
      message: `${problem.message} (got ${display(value)})`,
      platform: [
        `Option ${quoted(name ?? "")} with value=${quoted(value ?? "")} is not of type ${quoted(rules?.type ?? "")}`,
        problem.platform[1],
      ],
    };
  }
}

/** Quotes a string as the platform does. */
const quoted = (text: string): string => JSON.stringify(text);

/** Checks whether users choose several of the options, so that each one is an element of the list. */
const choosesSeveral = ({ type, formType }: Pick<ParameterRules, "type" | "formType">): boolean =>
  type === "list(string)" && formType === "multi-select";

const optionValues = new WeakMap<ParameterRules, ReadonlySet<string>>();

function optionProblem(
  rules: ParameterRules,
  value: string,
  name: string,
): ParameterProblem | undefined {
  if (rules.options.length === 0) return undefined;
  let values = optionValues.get(rules);
  if (values === undefined) {
    values = new Set(rules.options.map((option) => option.value));
    optionValues.set(rules, values);
  }
  if (!choosesSeveral(rules)) {
    if (values.has(value)) return undefined;
    const hint =
      value === ""
        ? ". The value is empty, did you forget to set it with a default or from user input?"
        : "";
    return {
      message: `must be one of the options: ${listed(values)}`,
      platform: [
        `${name} must be a valid option${hint}`,
        `the value ${quoted(value)} must be defined as one of options`,
      ],
    };
  }
  const mistyped = typeProblem(rules, value);
  if (mistyped !== undefined) {
    const summary = "When using list(string) type, value must be a json encoded list of strings";
    return { message: mistyped[0], platform: [summary, mistyped[1]] };
  }
  const known = values;
  const others = (parseList(value, rules.isPlatforms) ?? []).filter((each) => !known.has(each));
  const [first] = others;
  if (first === undefined) return undefined;
  return {
    message: `must contain only options, but ${display(first)} is not one of them: ${listed(values)}`,
    platform: [
      `${name}s must be a valid option`,
      `${name} ${quoted(value)} is not a valid option, values ${quoted(others.join(", "))} are missing from the options`,
    ],
  };
}

const maxListed = 10;

function listed(values: ReadonlySet<string>): string {
  const shown = [...values].slice(0, maxListed).map(display).join(", ");
  return values.size > maxListed ? `${shown} and ${values.size - maxListed} more` : shown;
}

function typeProblem(
  { type, isPlatforms = false }: ParameterRules,
  value: string,
): Words | undefined {
  switch (type) {
    case "string":
      return undefined;
    case "number":
      if (isDecimalNumber(value) || (isPlatforms && isGoNumber(value))) return undefined;
      return ["must be a decimal number", `${quoted(value)} is not a number`];
    case "bool":
      if (isBool(value)) return undefined;
      return ["must be a boolean: true or false", `${quoted(value)} is not a bool`];
    case "list(string)":
      if (parseList(value, isPlatforms) !== undefined) return undefined;
      return [
        'must be a JSON list of strings, such as ["a", "b"]',
        `value ${quoted(value)} is not a valid list of strings`,
      ];
  }
}

/** The settings of a validation that its parameter's type does not have. */
export function* settingProblems(
  type: ParameterRules["type"],
  validation: ParameterValidation,
): Generator<{ readonly setting: "min" | "max" | "monotonic" | "regex"; readonly words: Words }> {
  const refused = (only: string) =>
    `must not be set for a parameter of type ${type}, only for a ${only}`;
  for (const setting of ["min", "max", "monotonic"] as const) {
    if (type === "number" || !isSet(validation[setting])) continue;
    const detail =
      setting === "monotonic"
        ? `monotonic validation can only be specified for number types, not ${type} types`
        : `a ${setting} cannot be specified for a ${type} type`;
    yield { setting, words: [refused("number"), detail] };
  }
  if (type === "string" || !isSet(validation.regex)) return;
  const detail = `a regex cannot be specified for a ${type} type`;
  yield { setting: "regex", words: [refused("string"), detail] };
}

/** Returns the problem of a validation without a message for its regular expression. */
export const missingMessage = ({ regex, error }: ParameterValidation): Words | undefined =>
  isSet(regex) && (error === null || error === "")
    ? [
        "must be set with a regular expression, so that users know what is expected",
        "an error must be specified with a regex validation",
      ]
    : undefined;

function validationProblem(
  rules: ParameterRules,
  validation: ParameterValidation,
  value: string,
  previous: string | undefined,
): Words | undefined {
  if (rules.isPlatforms === true) {
    for (const { words } of settingProblems(rules.type, validation)) return words;
  }
  switch (rules.type) {
    case "string":
      return patternProblem(rules, validation, value);
    case "number":
      return integerProblem(rules, validation, value, previous);
    case "bool":
      if (/^(?:true|false)$/.test(value)) return undefined;
      return ["must be true or false", 'boolean value can be either "true" or "false"'];
    case "list(string)": {
      const problem = typeProblem(rules, value);
      return problem && [problem[0], `value ${quoted(value)} is not valid list of strings`];
    }
  }
}

function patternProblem(
  { isPlatforms = false }: ParameterRules,
  validation: ParameterValidation,
  value: string,
): Words | undefined {
  const { regex, error } = validation;
  if (typeof regex !== "string") return undefined;
  const pattern = patternOf(regex);
  if (isPlatforms && pattern.syntax !== undefined) {
    return [pattern.syntax, `compile regex ${quoted(regex)}: ${pattern.syntax}`];
  }
  const missing = isPlatforms ? missingMessage(validation) : undefined;
  if (missing !== undefined) return missing;
  if (pattern.problem !== undefined) return undefined;
  if (value.length > pattern.maxLength) {
    const message = `must be at most ${pattern.maxLength} characters long to be matched against its regular expression`;
    return isPlatforms ? undefined : [message, message];
  }
  if (pattern.isIn(value)) return undefined;
  const byDefault = `must match the regular expression ${regex}`;
  return [
    messageOr(validation, value, byDefault),
    `${error ?? ""} (value ${quoted(value)} does not match ${quoted(regex)})`,
  ];
}

function integerProblem(
  { isPlatforms = false }: ParameterRules,
  validation: ParameterValidation,
  value: string,
  previous: string | undefined,
): Words | undefined {
  const refused = (message: string, detail: string): Words => [
    messageOr(validation, value, message),
    messageOr({ ...validation, min: validation.min ?? 0, max: validation.max ?? 0 }, value, detail),
  ];
  const number = parseInteger64(value);
  if (number === undefined) {
    return refused(
      "must be an integer of at most 64 bits",
      `value ${quoted(value)} is not a number`,
    );
  }
  // JavaScript compares numbers and bigints exactly.
  const { min, max, monotonic } = validation;
  if (isSet(min) && number < min) {
    return refused(`must be at least ${min}`, `value ${number} is less than the minimum ${min}`);
  }
  if (isSet(max) && number > max) {
    return refused(`must be at most ${max}`, `value ${number} is more than the maximum ${max}`);
  }
  if (isPlatforms && isSet(monotonic) && !/^(?:in|de)creasing$/.test(monotonic)) {
    const detail = 'number monotonicity can be either "increasing" or "decreasing"';
    return [detail, detail];
  }
  const before = previous === undefined ? undefined : parseInteger64(previous);
  if (before === undefined) return undefined;
  if (monotonic === "increasing" && number < before) {
    return [
      `must not be less than the previous value ${before}, because it may only increase`,
      `parameter value '${number}' must be equal or greater than previous value: ${before}`,
    ];
  }
  if (monotonic === "decreasing" && number > before) {
    return [
      `must not be greater than the previous value ${before}, because it may only decrease`,
      `parameter value '${number}' must be equal or lower than previous value: ${before}`,
    ];
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
    min: String(min ?? "no minimum"),
    max: String(max ?? "no maximum"),
    value,
  };
  // A single pass, so that placeholders inside the value are not replaced.
  return error.replaceAll(/\{(min|max|value)\}/g, (found, name: string) => filled[name] ?? found);
}

import { RE2JS } from "../../../core/regular-expression/re2";
import type { ParameterType } from "./form-type";
import { error, quoted } from "./platform-value";
import type { PreviewedValidation, PreviewDiagnostic } from "./preview";
import { parsedJson } from "../../../core/json/plain-json";

/** The definition against which the platform checks a value. */
export interface CheckedParameter {
  readonly type: ParameterType;
  readonly optionType: ParameterType;
  readonly options: readonly { readonly name: string; readonly value: string }[];
  readonly validations: readonly PreviewedValidation[];
  readonly default: string | undefined;
  /** Validates a missing value like the empty string, as coder's provider does and ours does not. */
  readonly validatesMissing: boolean;
}

/**
 * Returns the platform's first objection to a value, in the order of its checks, and objections to options.
 *
 * @param input undefined to check the default
 */
export function valueProblems(
  parameter: CheckedParameter,
  input: string | undefined,
): readonly PreviewDiagnostic[] {
  const ofOptions = optionProblems(parameter);
  if (ofOptions.length > 0) return ofOptions;
  const { type, validations } = parameter;
  const given = input ?? parameter.default;
  if (given === undefined && !(parameter.validatesMissing && validations.length > 0)) return [];
  const value = given ?? "";
  const isDefault = input === undefined && parameter.default !== undefined;
  const name = isDefault ? "Default value" : "Value";
  const refused = notAnOption(parameter, value, name) ?? againstValidation(parameter, value, name);
  if (refused !== undefined) return [refused];
  const mistyped = typeProblem(type, value);
  return mistyped === undefined
    ? []
    : [error(`Parameter value is not of type ${quoted(type)}`, mistyped)];
}

function optionProblems({ options, optionType }: CheckedParameter): readonly PreviewDiagnostic[] {
  const names = new Set<string>();
  const values = new Set<string>();
  const problems: PreviewDiagnostic[] = [];
  for (const { name, value } of options) {
    if (names.has(name)) {
      const detail = `multiple options found with the same name ${quoted(name)}`;
      return [error("Option names must be unique.", detail)];
    }
    if (values.has(value)) {
      const detail = `multiple options found with the same value ${quoted(value)}`;
      return [error("Option values must be unique.", detail)];
    }
    const mistyped = typeProblem(optionType, value);
    if (mistyped !== undefined) {
      const option = `Option ${quoted(name)} with value=${quoted(value)}`;
      problems.push(error(`${option} is not of type ${quoted(optionType)}`, mistyped));
      continue;
    }
    names.add(name);
    values.add(value);
  }
  return problems;
}

function notAnOption(
  { type, optionType, options }: CheckedParameter,
  value: string,
  name: string,
): PreviewDiagnostic | undefined {
  if (options.length === 0) return undefined;
  const known = new Set(options.map((option) => option.value));
  if (type === "list(string)" && optionType === "string") {
    const items = listItems(value);
    if (items === undefined) {
      const summary = "When using list(string) type, value must be a json encoded list of strings";
      return error(summary, `value ${quoted(value)} is not a valid list of strings`);
    }
    const missing = items.filter((item) => !known.has(item));
    if (missing.length === 0) return undefined;
    return error(
      `${name}s must be a valid option`,
      `${name} ${quoted(value)} is not a valid option, values ${quoted(missing.join(", "))} are missing from the options`,
    );
  }
  if (known.has(value)) return undefined;
  const hint =
    value === ""
      ? ". The value is empty, did you forget to set it with a default or from user input?"
      : "";
  return error(
    `${name} must be a valid option${hint}`,
    `the value ${quoted(value)} must be defined as one of options`,
  );
}

function againstValidation(
  { type, validations }: CheckedParameter,
  value: string,
  name: string,
): PreviewDiagnostic | undefined {
  const [validation] = validations;
  if (validation === undefined || validations.length > 1) return undefined;
  const problem = validationProblem(type, validation, value);
  if (problem === undefined) return undefined;
  const summary = `Invalid parameter ${name.toLowerCase()} according to 'validation' block`;
  return error(summary, problem);
}

function validationProblem(
  type: ParameterType,
  { min, max, monotonic = "", regex = "", error: message }: PreviewedValidation,
  value: string,
): string | undefined {
  if (type !== "number") {
    if (min !== undefined) return `a min cannot be specified for a ${type} type`;
    if (max !== undefined) return `a max cannot be specified for a ${type} type`;
    if (monotonic !== "") {
      return `monotonic validation can only be specified for number types, not ${type} types`;
    }
  }
  if (type !== "string" && regex !== "") return `a regex cannot be specified for a ${type} type`;
  switch (type) {
    case "bool":
      return ["true", "false"].includes(value)
        ? undefined
        : 'boolean value can be either "true" or "false"';
    case "string":
      return regex === "" ? undefined : regexProblem(regex, message, value);
    case "list(string)":
      return listItems(value) === undefined
        ? `value ${quoted(value)} is not valid list of strings`
        : undefined;
    case "number": {
      const own = message
        .replaceAll("{min}", String(min ?? 0))
        .replaceAll("{max}", String(max ?? 0))
        .replaceAll("{value}", value);
      const number = integer(value);
      const problem = numberProblem(value, number, min, max);
      if (problem !== undefined) return own === "" ? problem : own;
      return ["", "increasing", "decreasing"].includes(monotonic)
        ? undefined
        : 'number monotonicity can be either "increasing" or "decreasing"';
    }
  }
}

function numberProblem(
  value: string,
  number: bigint | undefined,
  min: number | undefined,
  max: number | undefined,
): string | undefined {
  if (number === undefined) return `value ${quoted(value)} is not a number`;
  if (min !== undefined && number < min) return `value ${number} is less than the minimum ${min}`;
  return max !== undefined && number > max
    ? `value ${number} is more than the maximum ${max}`
    : undefined;
}

function regexProblem(regex: string, message: string, value: string): string | undefined {
  let pattern: RE2JS;
  try {
    pattern = RE2JS.compile(regex);
  } catch (failure) {
    return `compile regex ${quoted(regex)}: ${failure instanceof Error ? failure.message : ""}`;
  }
  if (message === "") return "an error must be specified with a regex validation";
  return pattern.matcher(value).find()
    ? undefined
    : `${message} (value ${quoted(value)} does not match ${quoted(regex)})`;
}

/** Returns the reason for which a value does not have a type; undefined if it has. */
function typeProblem(type: ParameterType, value: string): string | undefined {
  switch (type) {
    case "string":
      return undefined;
    case "number":
      return isFloat(value) ? undefined : `${quoted(value)} is not a number`;
    case "bool":
      return /^(?:1|t|T|TRUE|true|True|0|f|F|FALSE|false|False)$/.test(value)
        ? undefined
        : `${quoted(value)} is not a bool`;
    case "list(string)":
      return listItems(value) === undefined
        ? `value ${quoted(value)} is not a valid list of strings`
        : undefined;
  }
}

/** Returns the elements of a list in JSON. Null counts as an empty list or string. */
function listItems(value: string): readonly string[] | undefined {
  const items = parsedJson(value);
  if (items === null) return [];
  if (!Array.isArray(items)) return undefined;
  const strings = items.map((item: unknown) => (item === null ? "" : item));
  return strings.every((item) => typeof item === "string") ? strings : undefined;
}

const int64Bits = 64;

/** Parses a 64-bit integer in the syntax of Go. */
function integer(value: string): bigint | undefined {
  if (!/^[+-]?\d+$/.test(value)) return undefined;
  const number = BigInt(value.replace(/^\+/, ""));
  return BigInt.asIntN(int64Bits, number) === number ? number : undefined;
}

/**
 * Checks whether a value is a number in the syntax of Go.
 *
 * @see https://pkg.go.dev/strconv#ParseFloat
 */
function isFloat(value: string): boolean {
  if (/^[+-]?(?:nan|inf|infinity)$/i.test(value)) return !/^[+-]nan$/i.test(value);
  if (/^[+-]?0x(?=[\da-f.])[\da-f]*\.?[\da-f]*p[+-]?\d+$/i.test(value)) return true;
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(value) && Number.isFinite(Number(value));
}

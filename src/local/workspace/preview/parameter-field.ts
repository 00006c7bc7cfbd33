import { ownValue, parsedJson, type Properties } from "../../../core/json/plain-json";
import { listOf, objectOf } from "../terraform/json-value";
import type { EvaluatedBlock } from "./evaluated-block";
import { boundOf, firstReading } from "./rewritten-code";
import {
  error,
  knownText,
  missing,
  platformValue,
  type NestedBlock,
  type PlatformValue,
  quoted,
  requiredText,
  textOf,
  valueOf,
} from "./platform-value";
import type {
  PreviewDiagnostic,
  PreviewedOption,
  PreviewedParameter,
  PreviewedStyling,
  PreviewedValidation,
} from "./preview";
import { enumValues } from "../../../core/schema";
import { parameterTypes } from "../../../core/workspace/parameter/declare";
import { formTypeProblem } from "../../../core/workspace/parameter/definition-problems";
import {
  defaultFormType,
  type ParameterRules,
} from "../../../core/workspace/parameter/known-definition";
import { optionProblems, valueProblem } from "../../../core/workspace/parameter/value-problem";

/** A parameter in the form, with the label of its block. */
export interface ParameterField {
  readonly parameter: PreviewedParameter;
  readonly label: string;
}

/** In the order of the platform's messages. */
const formTypes =
  "radio slider input dropdown checkbox switch multi-select tag-select textarea error".split(" ");

/** A parameter, or the reasons for which the platform has no field for it. */
type FieldOrProblems = ParameterField | { readonly problems: readonly PreviewDiagnostic[] };

/** Reads a parameter as the platform does, with the value that the user entered. */
export function parameterField(
  block: EvaluatedBlock,
  inputs: Readonly<Record<string, string>>,
  validatesMissing: boolean,
): FieldOrProblems {
  const name = requiredText(block, "name");
  const type = choice(block, "type", "string", enumValues(parameterTypes), "parameter type");
  const form = choice(block, "form_type", "", formTypes, "form type");
  const problems = [name, type, form].flatMap((read) => ("problem" in read ? [read.problem] : []));
  if (!("text" in name) || !("text" in type) || !("text" in form)) return { problems };

  const options = blocksOf(block, "option").map(optionOf);
  const validations = blocksOf(block, "validation").map(validationOf);
  const formType = form.text === "" ? defaultFormType(type.text, options.length > 0) : form.text;
  const unfit = formTypeProblem(type.text, options.length > 0, formType);
  // A default that is not known is none.
  const fallback = knownOrNull(valueOf(block, "default"));
  const input = ownValue(inputs, name.text);
  const value: PlatformValue =
    input === undefined ? firstValue(block, fallback) : { kind: "known", text: input };
  const usable = options.flatMap((option) => ("problems" in option ? [] : [option]));
  const found = [
    ...(unfit === undefined ? [] : [error(...unfit.platform)]),
    ...options.flatMap((option) => ("problems" in option ? option.problems : [])),
    ...(validations.length > 1
      ? [error("Multiple 'validation' blocks found", "Only one validation block is allowed")]
      : []),
  ];
  const definition = {
    type: type.text,
    formType,
    options: usable.map(({ name: option, value: each = "" }) => ({ name: option, value: each })),
    validation: validations[0] && {
      ...validations[0],
      monotonic: validations[0].monotonic === "" ? undefined : validations[0].monotonic,
      regex: validations[0].regex === "" ? undefined : validations[0].regex,
    },
    isPlatforms: true,
  };
  const given = knownText(value) ?? knownText(fallback);
  // A missing value is validated like the empty string, by coder's provider.
  const checked = given ?? (validatesMissing && validations.length > 0 ? "" : undefined);
  const isDefault = knownText(value) === undefined && given !== undefined;
  const sound = found.length > 0 ? [] : valueDiagnostics(definition, checked, isDefault);
  const required = !block.isSet("default");
  const missing =
    required && value.kind === "null"
      ? [error("Required parameter not provided", "parameter value is null")]
      : [];
  return {
    label: block.label,
    parameter: {
      name: name.text,
      displayName: textOf(block, "display_name"),
      description: textOf(block, "description"),
      type: type.text,
      formType: unfit === undefined ? formType : "error",
      styling: stylingOf(textOf(block, "styling")),
      default: knownText(fallback),
      value: knownText(value),
      mutable: block.values["mutable"] === true,
      ephemeral: block.values["ephemeral"] === true,
      required,
      icon: textOf(block, "icon"),
      options: usable,
      validations,
      order: numberOf(block.values["order"]) ?? 0,
      diagnostics: [
        ...found,
        ...sound,
        ...usageProblems(value, usable),
        ...missing,
        ...unknownSettings(block),
      ],
    },
  };
}

/** Returns the platform's objections to the options, otherwise its first objection to a value. */
function valueDiagnostics(
  rules: ParameterRules,
  value: string | undefined,
  isDefault: boolean,
): readonly PreviewDiagnostic[] {
  const { options } = rules;
  // The platform never checks options against the validation.
  const ofOptions = [...optionProblems(options, { ...rules, options: [], validation: undefined })];
  const repeated = ofOptions.find(({ isRepeated }) => isRepeated);
  if (repeated !== undefined) return [error(...repeated.platform)];
  if (ofOptions.length > 0) return ofOptions.map(({ platform }) => error(...platform));
  const problem = value === undefined ? undefined : valueProblem(rules, value, { isDefault });
  return problem === undefined ? [] : [error(...problem.platform)];
}

/** Returns the value that the form has for a parameter, if it may differ from the default. */
function firstValue({ values }: EvaluatedBlock, fallback: PlatformValue): PlatformValue {
  const first = values[firstReading];
  return Array.isArray(first) ? platformValue(listOf(first)[0]) : fallback;
}

const neededValue =
  "The value of a parameter is required to be sourced (default or input) for the parameter to function.";

function usageProblems(
  value: PlatformValue,
  options: readonly PreviewedOption[],
): readonly PreviewDiagnostic[] {
  const bad = options.filter((option) => option.value === undefined).length;
  return [
    ...(value.kind === "other" ? [error("Parameter value is not valid", neededValue)] : []),
    ...(bad > 0
      ? [
          error(
            `Parameter contains ${bad} invalid options`,
            "The set of options cannot be resolved, and use of the parameter is limited.",
          ),
        ]
      : []),
  ];
}

const knownOrNull = (value: PlatformValue): PlatformValue =>
  value.kind === "unknown" ? { kind: "null" } : value;

/** Reports settings that the platform cannot evaluate: it fails as a whole, or leaves them out. */
function unknownSettings(block: EvaluatedBlock): readonly PreviewDiagnostic[] {
  const unknown = [
    ...["mutable", "ephemeral", "order"].filter((name) => isUnknown(block, name)),
    ...blocksOf(block, "validation").flatMap((validation) =>
      ["min", "max"].filter((name) => isUnknown(validation, name)),
    ),
  ];
  const options: PreviewDiagnostic = {
    severity: "warning",
    summary: "The options are not known before Terraform runs",
    detail: "The form has none of them. Every value is accepted until the plan.",
  };
  const settings = unknown.map((name): PreviewDiagnostic => ({
    severity: "warning",
    summary: `The value of ${quoted(name)} is not known before Terraform runs`,
    detail:
      "The platform leaves it out, or refuses the template with " +
      '"Panic occurred in preview. This should not happen, please report this to Coder."',
  }));
  return block.unknown["option"] === true ? [options, ...settings] : settings;
}

const isUnknown = (block: NestedBlock, name: string): boolean =>
  valueOf(block, name).kind === "unknown";

function optionOf(
  option: NestedBlock,
): PreviewedOption | { readonly problems: readonly PreviewDiagnostic[] } {
  const unset = ["name", "value"].filter((key) => valueOf(option, key).kind === "null");
  if (unset.length > 0) return { problems: unset.map((key) => missing(key, option.label)) };
  const name = requiredText(option, "name");
  if ("problem" in name) return { problems: [name.problem] };
  return {
    name: name.text,
    value: knownText(valueOf(option, "value")),
    description: textOf(option, "description"),
    icon: textOf(option, "icon"),
  };
}

function validationOf(validation: NestedBlock): PreviewedValidation {
  const { values } = validation;
  return {
    min: numberOf(boundOf(values["min"])),
    max: numberOf(boundOf(values["max"])),
    monotonic: knownText(valueOf(validation, "monotonic")),
    regex: knownText(valueOf(validation, "regex")),
    error: textOf(validation, "error"),
  };
}

function blocksOf({ values, unknown }: EvaluatedBlock, type: string): readonly NestedBlock[] {
  const unknowns = listOf(unknown[type]);
  return listOf(values[type]).map((each, at) => ({
    // The platform's messages do not name nested blocks.
    label: "",
    values: objectOf(each),
    unknown: objectOf(unknowns[at]),
    references: () => [],
    isSet: () => false,
  }));
}

function choice<Choice extends string>(
  block: EvaluatedBlock,
  attribute: string,
  fallback: Choice,
  choices: readonly Choice[],
  what: string,
): { readonly text: Choice } | { readonly problem: PreviewDiagnostic } {
  const given = textOf(block, attribute);
  if (given === "") return { text: fallback };
  const found = choices.find((each) => each === given);
  if (found !== undefined) return { text: found };
  return {
    problem: error(
      `Invalid ${quoted(attribute)} attribute for block ${block.label}`,
      `invalid ${what} ${quoted(given)}, expected one of [${choices.join(", ")}]`,
    ),
  };
}

function stylingOf(json: string): PreviewedStyling {
  const {
    placeholder,
    disabled,
    label,
    mask_input: maskInput,
  }: Properties = objectOf(parsedJson(json));
  return {
    ...(typeof placeholder === "string" ? { placeholder } : {}),
    ...(typeof disabled === "boolean" ? { disabled } : {}),
    ...(typeof label === "string" ? { label } : {}),
    ...(typeof maskInput === "boolean" ? { maskInput } : {}),
  };
}

const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" ? Math.trunc(value) : undefined;

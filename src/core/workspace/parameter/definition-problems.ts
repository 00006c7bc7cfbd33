import { display, type ResourceRule } from "../../schema";
import {
  formTypesFor,
  isFormType,
  isSet,
  knownDefinition,
  type KnownDefinition,
  type ParameterDefinition,
  type ParameterType,
} from "./known-definition";
import {
  missingMessage,
  optionProblems,
  type ParameterProblem,
  settingProblems,
  valueProblem,
} from "./value-problem";

interface DefinitionProblem {
  readonly path: readonly [DefinitionName, ...(string | number)[]];
  /** One message without a final full stop. It includes the value if a value is to blame. */
  readonly message: string;
}

type DefinitionName = "formType" | "options" | "validation" | "default" | "ephemeral";

/**
 * Returns all problems of a parameter's definition that do not depend on its current value: form control,
 * options, validation and default must match. Problems of a single attribute (type, enum values, regular
 * expression) are left to the rule of that attribute.
 *
 * Checks that depend on unknown values are skipped.
 */
export function definitionProblems(
  parameter: ParameterDefinition,
  isUnknown: (value: unknown) => boolean,
): readonly DefinitionProblem[] {
  const known = knownDefinition(parameter, isUnknown);
  return [
    ...formTypeProblems(known),
    ...[...optionProblems(known.options, known.optionRules)].map(({ index, field, message }) => ({
      path: ["options", index, field] as const,
      message,
    })),
    ...validationProblems(known),
    ...defaultProblems(known),
    ...ephemeralProblems(known),
  ];
}

type Problems = Generator<DefinitionProblem, void>;

const got = (value: unknown): string => ` (got ${display(value)})`;

function* formTypeProblems({ type, formType, hasOptions }: KnownDefinition): Problems {
  if (!isSet(formType)) return;
  const path = ["formType"] as const;
  if (formType === "error") {
    const message = "must not be error, which marks a form control that could not be determined";
    yield { path, message: message + got(formType) };
  } else if (type !== undefined && hasOptions !== undefined && isFormType(formType)) {
    const problem = formTypeProblem(type, hasOptions, formType);
    if (problem !== undefined) yield { path, message: problem.message };
  }
}

/** Returns the reason for which a parameter cannot have a form control. */
export function formTypeProblem(
  type: ParameterType,
  hasOptions: boolean,
  formType: string,
): ParameterProblem | undefined {
  const fitting = formTypesFor(type, hasOptions);
  if (fitting.includes(formType)) return undefined;
  const what = `a parameter of type ${type} ${hasOptions ? "with" : "without"} options`;
  const fitsOtherwise = formTypesFor(type, !hasOptions).includes(formType);
  const where = fitsOtherwise ? ` when options ${hasOptions ? "exist" : "do not exist"}` : "";
  return {
    message: `must be ${fitting.join(" or ")} for ${what}${got(formType)}`,
    platform: [
      `Invalid parameter \`type="${type}"\` and \`form_type="${formType}"\``,
      `"form_type" attribute="${formType}" is not supported for "type"="${type}"${where}, choose one of [${fitting.join(" ")}]`,
    ],
  };
}

function* validationProblems({ type, validation }: KnownDefinition): Problems {
  const path = (name: string) => ["validation", 0, name] as const;
  if (type !== undefined) {
    for (const { setting, words } of settingProblems(type, validation)) {
      yield { path: path(setting), message: words[0] };
    }
  } else if (isSet(validation.regex)) {
    const others = (["min", "max", "monotonic"] as const).filter((name) => isSet(validation[name]));
    if (others.length > 0) {
      yield { path: path("regex"), message: `cannot be combined with ${others.join(", ")}` };
    }
  }
  const missing = type === undefined || type === "string" ? missingMessage(validation) : undefined;
  if (missing !== undefined) yield { path: path("error"), message: missing[0] };
  const { min, max } = validation;
  if (isSet(min) && isSet(max) && min > max) {
    yield { path: path("min"), message: `must be at most the maximum ${max} (got ${min})` };
  }
}

function* defaultProblems({ default: value, defaultRules }: KnownDefinition): Problems {
  if (!isSet(value) || defaultRules === undefined) return;
  const problem = valueProblem(defaultRules, value);
  if (problem !== undefined) yield { path: ["default"], message: problem.message + got(value) };
}

function* ephemeralProblems(known: KnownDefinition): Problems {
  if (known.ephemeral !== true) return;
  if (known.mutable === false || known.mutable === null) {
    yield { path: ["ephemeral"], message: "must not be true unless the parameter is mutable" };
  }
  if (known.default === null) {
    yield { path: ["ephemeral"], message: "must not be true without a default" };
  }
}

type Blamed = "type" | "formType" | "options" | "validation" | "default" | "ephemeral" | "mutable";

/** Requires a consistent definition of a parameter: type, form control, options, validation and default. */
export const soundParameter: ResourceRule<Blamed> = {
  code: "INVALID_ARGUMENT",
  severity: "error",
  // The rule itself skips unknown values, one by one.
  inputs: [],
  doc: (label) =>
    `\`${label("formType")}\` must be available for the type, with or without options; options must have ` +
    "the parameter's type and unique names and values; a default must be one of the options; the default " +
    "and the options must satisfy the validation; `min`, `max` and `monotonic` are for numbers, `regex` (with an `error`) is for strings; " +
    "an ephemeral parameter must be mutable and have a default",
  broken: (values, _label, isUnknown) => {
    // A block that is allowed once may be given without a list. Its path then has no index.
    const isListed = Array.isArray(values["validation"]);
    return definitionProblems(values, isUnknown).map(({ path: [name, ...path], message }) => ({
      name,
      path: name === "validation" && !isListed ? path.slice(1) : path,
      message,
    }));
  },
};

import { display } from "../../../schema/display";
import { formTypesFor, isFormType } from "./form-type";
import {
  isGiven,
  knownDefinition,
  type KnownDefinition,
  type ParameterDefinition,
} from "./known-definition";
import { optionValueProblem, valueProblem } from "./parameter-value";

/** One thing that is wrong with a parameter's definition. */
export interface DefinitionProblem {
  /** Where, in the names of the declaration. */
  readonly path: readonly [DefinitionName, ...(string | number)[]];
  /** One sentence without a final stop, with the value where one is to blame. */
  readonly message: string;
}

/** The properties of a parameter that can be to blame. */
export type DefinitionName = "formType" | "options" | "validation" | "default" | "ephemeral";

/**
 * Everything that is wrong with a parameter whatever its value: form, options, validation and default
 * must be right together. What can be said of one attribute alone (its type, its words, that a pattern
 * is one) is left to that attribute's rule.
 *
 * Whatever is unknown is left out, and so is what depends on it.
 */
export function definitionProblems(
  parameter: ParameterDefinition,
  isUnknown: (value: unknown) => boolean,
): readonly DefinitionProblem[] {
  const known = knownDefinition(parameter, isUnknown);
  return [
    ...formTypeProblems(known),
    ...optionProblems(known),
    ...validationProblems(known),
    ...defaultProblems(known),
    ...ephemeralProblems(known),
  ];
}

type Problems = Generator<DefinitionProblem, void>;

const got = (value: unknown): string => ` (got ${display(value)})`;

function* formTypeProblems({ type, formType, hasOptions }: KnownDefinition): Problems {
  if (!isGiven(formType)) return;
  const path = ["formType"] as const;
  if (formType === "error") {
    const message = "must not be error, which stands for a form that could not be made";
    yield { path, message: message + got(formType) };
  } else if (type !== undefined && hasOptions !== undefined) {
    const fitting = formTypesFor(type, hasOptions);
    if (fitting.includes(formType) || !isFormType(formType)) return;
    const what = `a parameter of type ${type} ${hasOptions ? "with" : "without"} options`;
    yield { path, message: `must be ${fitting.join(" or ")} for ${what}${got(formType)}` };
  }
}

function* optionProblems({ options, optionRules }: KnownDefinition): Problems {
  for (const field of ["name", "value"] as const) {
    const seen = new Set<string>();
    for (const [index, option] of options.entries()) {
      const text = option[field];
      if (!isGiven(text)) continue;
      const path = ["options", index, field] as const;
      if (seen.has(text)) yield { path, message: `must be unique among the options${got(text)}` };
      seen.add(text);
      if (field === "name" || optionRules === undefined) continue;
      const message = optionValueProblem(optionRules, text);
      if (message !== undefined) yield { path, message: message + got(text) };
    }
  }
}

function* validationProblems({ type, validation }: KnownDefinition): Problems {
  const path = (name: string) => ["validation", 0, name] as const;
  for (const name of ["min", "max", "monotonic"] as const) {
    if (type === undefined || type === "number" || !isGiven(validation[name])) continue;
    const message = `must not be given for a parameter of type ${type}, only for a number`;
    yield { path: path(name), message };
  }
  if (isGiven(validation.regex)) {
    if (type !== undefined && type !== "string") {
      const message = `must not be given for a parameter of type ${type}, only for a string`;
      yield { path: path("regex"), message };
      return;
    }
    const others = (["min", "max", "monotonic"] as const).filter((name) =>
      isGiven(validation[name]),
    );
    if (type === undefined && others.length > 0) {
      yield {
        path: path("regex"),
        message: `must not be given together with ${others.join(", ")}`,
      };
    }
    if (validation.error === null || validation.error === "") {
      const message =
        "must be given with a regular expression, so that users know what it asks for";
      yield { path: path("error"), message };
    }
  }
  const { min, max } = validation;
  if (isGiven(min) && isGiven(max) && min > max) {
    yield { path: path("min"), message: `must be at most the maximum ${max} (got ${min})` };
  }
}

function* defaultProblems({ default: text, defaultRules }: KnownDefinition): Problems {
  if (!isGiven(text) || defaultRules === undefined) return;
  const message = valueProblem(defaultRules, text);
  if (message !== undefined) yield { path: ["default"], message: message + got(text) };
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

import {
  advise,
  block,
  computed,
  dataSource,
  optional,
  required,
  optionalComputed,
  t,
  enumMeanings,
  enumValues,
  jsonObjectRule,
} from "../../schema";
import { regularExpressionRule } from "../grammar/regular-expression";
import { urlRule } from "../grammar/url-syntax";
import { soundParameter } from "./definition/sound-parameter";
import { nonBlankRule } from "../grammar/text";

/** What a parameter's value is. */
export const parameterTypes = {
  string: "is a text",
  number: "is a number",
  bool: "is `true` or `false`",
  "list(string)": "is a list of texts, as JSON",
} as const;

/** How users enter a parameter's value. */
export const parameterFormTypes = {
  radio: "shows all options, of which users choose one",
  dropdown: "shows a list of the options, of which users choose one",
  input: "takes a line of text, or a number",
  textarea: "takes several lines of text",
  slider: "takes a number between the bounds",
  checkbox: "shows a box to tick",
  switch: "shows a switch",
  "multi-select": "takes any number of the options",
  "tag-select": "takes any number of texts",
  error: "stands for a form that could not be made, and cannot be chosen",
} as const;

/** In which direction a number may change. */
export const monotonics = {
  increasing: "never falls from one build to the next",
  decreasing: "never rises from one build to the next",
} as const;

/** A value that users choose for their workspace. */
export const parameter = dataSource("workspace_parameter", {
  doc: "A value that users choose when they create a workspace, or later when it is mutable.",
  attributes: {
    name: required(t.string(nonBlankRule), {
      doc: "Name of the parameter, one of its own in the template. A new name asks users again.",
    }),
    type: optionalComputed(t.oneOf(enumValues(parameterTypes)), {
      doc: `What the value is: ${enumMeanings(parameterTypes)}`,
      default: "string",
    }),
    formType: optionalComputed(t.oneOf(enumValues(parameterFormTypes)), {
      doc:
        `How users enter the value: ${enumMeanings(parameterFormTypes)} ` +
        "By default the first that fits the type, with or without options.",
    }),
    displayName: optional(t.string(), { doc: "Name that users see. By default the name." }),
    description: optional(t.string(), { doc: "What the parameter does, in Markdown." }),
    default: optional(t.string(), {
      doc:
        "Value of users who choose none, as a text: numbers and booleans too, and a list as JSON. " +
        "Without a default users must choose.",
    }),
    mutable: optionalComputed(t.bool(), {
      doc:
        "Whether the value can be changed after the workspace was created, which may destroy data where " +
        "resources are replaced.",
      default: false,
    }),
    ephemeral: optionalComputed(t.bool(), {
      doc: "Whether the value serves one build only. Such a parameter is mutable and has a default.",
      default: false,
    }),
    icon: optional(t.string(urlRule), {
      doc: "URL of an icon; built-in ones stand under `/icon/`.",
    }),
    order: optional(t.integer(), {
      doc: "Position of the parameter: lowest first, equal ones by name.",
    }),
    styling: optionalComputed(t.string(jsonObjectRule), {
      doc: "How the form looks, as a JSON object.",
      default: "{}",
    }),
    optional: computed(t.bool(), {
      doc: "Whether users may choose none: whether there is a default.",
    }),
    value: computed(t.string(), { doc: "Value in this build, as a text; empty without one." }),
    id: computed(t.string(), {
      doc: "ID of the parameter, made from its name.",
    }),
  },
  blocks: {
    options: block.list(
      {
        attributes: {
          name: required(t.string(), { doc: "Name that users see." }),
          value: required(t.string(), { doc: "Value of the parameter when the option is chosen." }),
          description: optional(t.string(), { doc: "What the option means." }),
          icon: optional(t.string(urlRule), { doc: "URL of an icon." }),
        },
      },
      { doc: "Values from which users choose.", wire: "option" },
    ),
    validation: block.list(
      {
        attributes: {
          min: optional(t.integer(), { doc: "Least number." }),
          max: optional(t.integer(), { doc: "Greatest number." }),
          monotonic: optional(t.oneOf(enumValues(monotonics)), {
            doc: `In which direction the number may change: ${enumMeanings(monotonics)}`,
          }),
          regex: optional(t.string(regularExpressionRule), {
            doc: "Regular expression (RE2) that a part of the text must match.",
          }),
          error: optional(t.string(), {
            doc:
              "What users read when the value is refused; `{min}`, `{max}` and `{value}` stand for the " +
              "bounds and the value.",
          }),
          minDisabled: computed(t.bool(), { doc: "Whether there is no least number." }),
          maxDisabled: computed(t.bool(), { doc: "Whether there is no greatest number." }),
        },
      },
      { doc: "What a value must satisfy.", max: 1 },
    ),
  },
  rules: [
    soundParameter,
    advise({
      name: "formType",
      reads: ["validation"],
      doc: "should have a least and a greatest number: a slider needs both ends",
      when: ({ formType, validation }) => formType === "slider" && !hasBounds(validation),
    }),
  ],
});

function hasBounds(validation: unknown): boolean {
  const block: unknown = Array.isArray(validation) ? validation[0] : validation;
  if (typeof block !== "object" || block === null) return false;
  const { min, max } = block as { readonly min?: unknown; readonly max?: unknown };
  return (min ?? null) !== null && (max ?? null) !== null;
}

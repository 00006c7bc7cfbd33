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
import { soundParameter } from "./definition-problems";
import { nonBlankRule } from "../grammar/value-rules";

/** The type of a parameter's value. */
export const parameterTypes = {
  string: "is a string",
  number: "is a number",
  bool: "is `true` or `false`",
  "list(string)": "is a list of strings, as JSON",
} as const;

/** The form control with which users enter a parameter's value. */
export const parameterFormTypes = {
  radio: "shows all options; users choose one",
  dropdown: "shows a list of the options; users choose one",
  input: "accepts a line of text, or a number",
  textarea: "accepts several lines of text",
  slider: "accepts a number between the bounds",
  checkbox: "shows a checkbox",
  switch: "shows a switch",
  "multi-select": "accepts any number of the options",
  "tag-select": "accepts any number of strings",
  error: "marks a form control that could not be determined, and cannot be set",
} as const;

/** In which direction a number may change from one build to the next. */
export const monotonics = {
  increasing: "never decreases from one build to the next",
  decreasing: "never increases from one build to the next",
} as const;

/** A value that users choose for their workspace. */
export const parameter = dataSource("workspace_parameter", {
  doc: "A value that users choose when they create a workspace, or later if it is mutable.",
  attributes: {
    name: required(t.string(nonBlankRule), {
      doc: "Name of the parameter, unique in the template. After a change of the name, users must choose again.",
    }),
    type: optionalComputed(t.oneOf(enumValues(parameterTypes)), {
      doc: `Type of the value: ${enumMeanings(parameterTypes)}`,
      default: "string",
    }),
    formType: optionalComputed(t.oneOf(enumValues(parameterFormTypes)), {
      doc:
        `Form control with which users enter the value: ${enumMeanings(parameterFormTypes)} ` +
        "By default `input`, `checkbox` or `tag-select`, depending on the type; with options `radio`.",
    }),
    displayName: optional(t.string(), { doc: "Name that users see. By default the name." }),
    description: optional(t.string(), { doc: "Description of the parameter, in Markdown." }),
    default: optional(t.string(), {
      doc:
        "Value if users choose none, as a string. This includes numbers and booleans, and lists as JSON. " +
        "Without a default, users must choose.",
    }),
    mutable: optionalComputed(t.bool(), {
      doc:
        "Whether the value can be changed after the workspace has been created. A change may destroy " +
        "data if it replaces resources.",
      default: false,
    }),
    ephemeral: optionalComputed(t.bool(), {
      doc: "Whether the value is used for one build only. Such a parameter must be mutable and have a default.",
      default: false,
    }),
    icon: optional(t.string(urlRule), {
      doc: "URL of an icon. The built-in icons are under `/icon/`.",
    }),
    order: optional(t.integer(), {
      doc: "Position of the parameter: lowest first, then by name.",
    }),
    styling: optionalComputed(t.string(jsonObjectRule), {
      doc: "Appearance of the form control, as a JSON object.",
      default: "{}",
    }),
    optional: computed(t.bool(), {
      doc: "Whether users may leave the parameter out, because it has a default.",
    }),
    value: computed(t.string(), { doc: "Value in this build, as a string; empty without one." }),
    id: computed(t.string(), {
      doc: "ID of the parameter, derived from its name.",
    }),
  },
  blocks: {
    options: block.list(
      {
        attributes: {
          name: required(t.string(), { doc: "Name that users see." }),
          value: required(t.string(), { doc: "Value of the parameter when the option is chosen." }),
          description: optional(t.string(), { doc: "Description of the option." }),
          icon: optional(t.string(urlRule), { doc: "URL of an icon." }),
        },
      },
      { doc: "Values from which users choose.", wire: "option" },
    ),
    validation: block.list(
      {
        attributes: {
          min: optional(t.integer(), { doc: "Minimum, for numbers." }),
          max: optional(t.integer(), { doc: "Maximum, for numbers." }),
          monotonic: optional(t.oneOf(enumValues(monotonics)), {
            doc: `In which direction the number may change: ${enumMeanings(monotonics)}`,
          }),
          regex: optional(t.string(regularExpressionRule), {
            doc: "Regular expression (RE2) that a part of the string must match.",
          }),
          error: optional(t.string(), {
            doc:
              "Message for users if the value is refused. `{min}`, `{max}` and `{value}` are replaced with " +
              "the bounds and the value.",
          }),
          minDisabled: computed(t.bool(), { doc: "Whether there is no minimum." }),
          maxDisabled: computed(t.bool(), { doc: "Whether there is no maximum." }),
        },
      },
      { doc: "Rules for the value. By default, any value of the type is accepted.", max: 1 },
    ),
  },
  rules: [
    soundParameter,
    advise({
      code: "parameter-slider-bounds",
      name: "formType",
      reads: ["validation"],
      doc: "should have a minimum and a maximum: a slider needs both bounds",
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

import type { parameterTypes, parameterFormTypes, monotonics } from "./declare";

/** The type of a parameter's value. */
export const ParameterType = {
  /** A string. */
  STRING: "string",
  /** A number. */
  NUMBER: "number",
  /** True or false. */
  BOOL: "bool",
  /** A list of strings. */
  LIST_OF_STRINGS: "list(string)",
} as const satisfies Readonly<Record<string, keyof typeof parameterTypes>>;

/** One of the values of {@link ParameterType}. */
export type ParameterType = keyof typeof parameterTypes;

/** The form control with which users enter a parameter's value. */
export const ParameterFormType = {
  /** One of the options, all of them visible. */
  RADIO: "radio",
  /** One of the options, from a list. */
  DROPDOWN: "dropdown",
  /** A line of text, or a number. */
  INPUT: "input",
  /** Several lines of text. */
  TEXTAREA: "textarea",
  /** A number between the bounds. */
  SLIDER: "slider",
  /** A checkbox. */
  CHECKBOX: "checkbox",
  /** A switch. */
  SWITCH: "switch",
  /** Any number of the options. */
  MULTI_SELECT: "multi-select",
  /** Any number of strings. */
  TAG_SELECT: "tag-select",
  /** A form control that could not be determined. It cannot be set. */
  ERROR: "error",
} as const satisfies Readonly<Record<string, keyof typeof parameterFormTypes>>;

/** One of the values of {@link ParameterFormType}. */
export type ParameterFormType = keyof typeof parameterFormTypes;

/** In which direction a number may change from one build to the next. */
export const Monotonic = {
  /** It never decreases. */
  INCREASING: "increasing",
  /** It never increases. */
  DECREASING: "decreasing",
} as const satisfies Readonly<Record<string, keyof typeof monotonics>>;

/** One of the values of {@link Monotonic}. */
export type Monotonic = keyof typeof monotonics;

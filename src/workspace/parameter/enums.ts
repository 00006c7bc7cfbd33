import type { parameterTypes, parameterFormTypes, monotonics } from "./declare";

/** The type of a parameter's value. */
export const ParameterType = {
  /** Is a string. */
  STRING: "string",
  /** Is a number. */
  NUMBER: "number",
  /** Is `true` or `false`. */
  BOOL: "bool",
  /** Is a list of strings, as JSON. */
  LIST_OF_STRINGS: "list(string)",
} as const satisfies Readonly<Record<string, keyof typeof parameterTypes>>;

/** One of the values of {@link ParameterType}. */
export type ParameterType = keyof typeof parameterTypes;

/** The form control with which users enter a parameter's value. */
export const ParameterFormType = {
  /** Shows all options; users choose one. */
  RADIO: "radio",
  /** Shows a list of the options; users choose one. */
  DROPDOWN: "dropdown",
  /** Accepts a line of text, or a number. */
  INPUT: "input",
  /** Accepts several lines of text. */
  TEXTAREA: "textarea",
  /** Accepts a number between the bounds. */
  SLIDER: "slider",
  /** Shows a checkbox. */
  CHECKBOX: "checkbox",
  /** Shows a switch. */
  SWITCH: "switch",
  /** Accepts any number of the options. */
  MULTI_SELECT: "multi-select",
  /** Accepts any number of strings. */
  TAG_SELECT: "tag-select",
  /** Marks a form control that could not be determined, and cannot be set. */
  ERROR: "error",
} as const satisfies Readonly<Record<string, keyof typeof parameterFormTypes>>;

/** One of the values of {@link ParameterFormType}. */
export type ParameterFormType = keyof typeof parameterFormTypes;

/** In which direction a number may change from one build to the next. */
export const Monotonic = {
  /** Never decreases from one build to the next. */
  INCREASING: "increasing",
  /** Never increases from one build to the next. */
  DECREASING: "decreasing",
} as const satisfies Readonly<Record<string, keyof typeof monotonics>>;

/** One of the values of {@link Monotonic}. */
export type Monotonic = keyof typeof monotonics;

import type { parameterTypes, parameterFormTypes, monotonics } from "./declare";

/** What a parameter's value is. */
export const ParameterType = {
  /** A text. */
  STRING: "string",
  /** A number. */
  NUMBER: "number",
  /** True or false. */
  BOOL: "bool",
  /** A list of texts. */
  LIST_OF_STRINGS: "list(string)",
} as const satisfies Readonly<Record<string, keyof typeof parameterTypes>>;

/** One of the words of {@link ParameterType}. */
export type ParameterType = keyof typeof parameterTypes;

/** How users enter a parameter's value. */
export const ParameterFormType = {
  /** One of the options, all of them in view. */
  RADIO: "radio",
  /** One of the options, from a list. */
  DROPDOWN: "dropdown",
  /** A line of text, or a number. */
  INPUT: "input",
  /** Several lines of text. */
  TEXTAREA: "textarea",
  /** A number between the bounds. */
  SLIDER: "slider",
  /** A box to tick. */
  CHECKBOX: "checkbox",
  /** A switch. */
  SWITCH: "switch",
  /** Any number of the options. */
  MULTI_SELECT: "multi-select",
  /** Any number of texts. */
  TAG_SELECT: "tag-select",
  /** Stands for a form that could not be made; cannot be chosen. */
  ERROR: "error",
} as const satisfies Readonly<Record<string, keyof typeof parameterFormTypes>>;

/** One of the words of {@link ParameterFormType}. */
export type ParameterFormType = keyof typeof parameterFormTypes;

/** In which direction a number may change from one build to the next. */
export const Monotonic = {
  /** It never falls. */
  INCREASING: "increasing",
  /** It never rises. */
  DECREASING: "decreasing",
} as const satisfies Readonly<Record<string, keyof typeof monotonics>>;

/** One of the words of {@link Monotonic}. */
export type Monotonic = keyof typeof monotonics;

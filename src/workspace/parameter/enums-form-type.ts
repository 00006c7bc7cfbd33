import type { parameterFormTypes } from "./declare";

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

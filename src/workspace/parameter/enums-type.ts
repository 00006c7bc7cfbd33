import type { parameterTypes } from "./declare";

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

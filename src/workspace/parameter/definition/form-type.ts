/** The types that a parameter can have. */
export type ParameterType = "string" | "number" | "bool" | "list(string)";

/** The form elements that a type can be shown as, the default first. */
export interface FormTypes {
  readonly withOptions: readonly [string, ...string[]];
  readonly withoutOptions: readonly [string, ...string[]];
}

/** Which form element fits which type; whatever is not here is refused, `error` above all. */
export const formTypes: Readonly<Record<ParameterType, FormTypes>> = {
  string: { withOptions: ["radio", "dropdown"], withoutOptions: ["input", "textarea"] },
  number: { withOptions: ["radio", "dropdown"], withoutOptions: ["input", "slider"] },
  bool: { withOptions: ["radio", "dropdown"], withoutOptions: ["checkbox", "switch"] },
  "list(string)": { withOptions: ["radio", "multi-select"], withoutOptions: ["tag-select"] },
};

/** The form elements that a parameter can be shown as; the first is the default. */
export function formTypesFor(
  type: ParameterType,
  hasOptions: boolean,
): readonly [string, ...string[]] {
  return formTypes[type][hasOptions ? "withOptions" : "withoutOptions"];
}

/** The form element of a parameter that names none. */
export function defaultFormType(type: ParameterType, hasOptions: boolean): string {
  return formTypesFor(type, hasOptions)[0];
}

/** Whether a word is a form element of any type. */
export function isFormType(word: string): boolean {
  return Object.values(formTypes).some(
    ({ withOptions, withoutOptions }) =>
      withOptions.includes(word) || withoutOptions.includes(word),
  );
}

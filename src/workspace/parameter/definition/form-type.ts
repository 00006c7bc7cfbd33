/** The types that a parameter can have. */
export type ParameterType = "string" | "number" | "bool" | "list(string)";

/** The form controls of a type, with the default first. */
export interface FormTypes {
  readonly withOptions: readonly [string, ...string[]];
  readonly withoutOptions: readonly [string, ...string[]];
}

/** The form controls of each type. All others are refused, in particular `error`. */
export const formTypes: Readonly<Record<ParameterType, FormTypes>> = {
  string: { withOptions: ["radio", "dropdown"], withoutOptions: ["input", "textarea"] },
  number: { withOptions: ["radio", "dropdown"], withoutOptions: ["input", "slider"] },
  bool: { withOptions: ["radio", "dropdown"], withoutOptions: ["checkbox", "switch"] },
  "list(string)": { withOptions: ["radio", "multi-select"], withoutOptions: ["tag-select"] },
};

/** The form controls that a parameter can have, with the default first. */
export function formTypesFor(
  type: ParameterType,
  hasOptions: boolean,
): readonly [string, ...string[]] {
  return formTypes[type][hasOptions ? "withOptions" : "withoutOptions"];
}

/** The form control of a parameter that does not set one. */
export function defaultFormType(type: ParameterType, hasOptions: boolean): string {
  return formTypesFor(type, hasOptions)[0];
}

/** Whether a value is a form control of any type. */
export function isFormType(value: string): boolean {
  return Object.values(formTypes).some(
    ({ withOptions, withoutOptions }) =>
      withOptions.includes(value) || withoutOptions.includes(value),
  );
}

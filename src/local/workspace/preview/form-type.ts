import { quoted } from "./platform-value";

export const parameterTypes = ["string", "number", "bool", "list(string)"] as const;
export type ParameterType = (typeof parameterTypes)[number];

export const formTypes: readonly string[] = [
  "radio",
  "slider",
  "input",
  "dropdown",
  "checkbox",
  "switch",
  "multi-select",
  "tag-select",
  "textarea",
  "error",
];

interface FormTypes {
  /** The default comes first. */
  readonly withOptions: readonly string[];
  readonly withoutOptions: readonly string[];
}

const table: Readonly<Record<ParameterType, FormTypes>> = {
  string: { withOptions: ["radio", "dropdown"], withoutOptions: ["input", "textarea"] },
  number: { withOptions: ["radio", "dropdown"], withoutOptions: ["input", "slider"] },
  bool: { withOptions: ["radio", "dropdown"], withoutOptions: ["checkbox", "switch"] },
  "list(string)": { withOptions: ["radio", "multi-select"], withoutOptions: ["tag-select"] },
};

/** The form control of a parameter, or the reason for which the template's choice is not possible. */
type FormTypeChoice =
  { readonly formType: string; readonly optionType: ParameterType } | { readonly problem: string };

/** @param given empty for the default */
export function formTypeOf(
  type: ParameterType,
  hasOptions: boolean,
  given: string,
): FormTypeChoice {
  const { withOptions, withoutOptions } = table[type];
  const [allowed, others] = hasOptions
    ? [withOptions, withoutOptions]
    : [withoutOptions, withOptions];
  const formType = given === "" ? (allowed[0] ?? "") : given;
  if (!allowed.includes(formType)) {
    const options = `when options ${hasOptions ? "exist" : "do not exist"}`;
    const where = others.includes(formType) ? ` ${options}` : "";
    return {
      problem:
        `"form_type" attribute=${quoted(formType)} is not supported for "type"=${quoted(type)}` +
        `${where}, choose one of [${allowed.join(" ")}]`,
    };
  }
  // The options of a list are the elements, not whole lists.
  return { formType, optionType: formType === "multi-select" ? "string" : type };
}

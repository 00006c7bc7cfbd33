/** Where in a declaration's values something was found: property names and list indices. */
export type Path = readonly (string | number)[];

/** An error refuses the values; a warning is shown and the values are accepted. */
export type Severity = "error" | "warning";

/**
 * What kind of rule a finding is about.
 *
 * - `INVALID_ARGUMENT`: a value breaks a rule of its attribute
 * - `WRONG_TYPE`: a value is not of its attribute's type
 * - `MISSING`: a required value is absent
 * - `UNKNOWN_PROPERTY`: a property that the declaration does not have
 * - `CONFLICT`: values that exclude each other, or not exactly one of several
 * - `REQUIRES`: a value that needs another one
 * - `ADVICE`: accepted here, but refused or ignored later
 * - `DEPRECATED`: a value that will not be accepted for ever
 * - `TOKEN_MISUSE`: a token where its kind cannot stand
 * - `LITERAL_INTERPOLATION`: a text that Terraform would read as an expression or a comment
 * - `DUPLICATE`: two constructs that exclude each other
 */
export type FindingCode =
  | "INVALID_ARGUMENT"
  | "WRONG_TYPE"
  | "MISSING"
  | "UNKNOWN_PROPERTY"
  | "CONFLICT"
  | "REQUIRES"
  | "ADVICE"
  | "DEPRECATED"
  | "TOKEN_MISUSE"
  | "LITERAL_INTERPOLATION"
  | "DUPLICATE";

/** One thing that a rule has to say about some values. */
export interface Finding {
  readonly code: FindingCode;
  readonly severity: Severity;
  /** The value that is to blame, in the declaration's own (camelCase) names. */
  readonly path: Path;
  /** One sentence without a final stop: the rule, the value, and the way out where there is one. */
  readonly message: string;
}

/** `option[0].name`, `labels["my key"]`: a path as a person writes it. */
export function formatPath(path: Path): string {
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else if (/^[A-Za-z_$][\w$]*$/.test(step)) text += text === "" ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text;
}

import type { Correction } from "./suggestion";

/** The position of a finding in a declaration's values: property names and list indices. */
export type Path = readonly (string | number)[];

/** With an error, the values are refused. A warning is only shown. */
export type Severity = "error" | "warning";

/** What errors of each kind say, for the pages of the codes. */
export const errorMeanings = {
  INVALID_ARGUMENT: "a value breaks a rule of its attribute",
  WRONG_TYPE: "a value is not of its attribute's type",
  MISSING: "a required value is absent",
  UNKNOWN_PROPERTY: "there is no property of this name that can be set",
  CONFLICT: "values cannot be combined, or not exactly one of several is set",
  REQUIRES: "a value needs another one",
  TOKEN_MISUSE: "a token is in a place that does not accept its kind",
  LITERAL_INTERPOLATION: "Terraform would read a string as an expression or a comment",
  DUPLICATE: "two constructs cannot exist together",
} as const;

/**
 * The kind of rule that was broken: that of an error, or one of these for a warning.
 *
 * - `ADVICE`: accepted here, but refused or ignored later
 * - `DEPRECATED`: a value that will no longer be accepted in the future
 */
export type FindingCode = keyof typeof errorMeanings | "ADVICE" | "DEPRECATED";

/** One problem that a rule reports. */
export interface Finding {
  readonly code: FindingCode;
  readonly severity: Severity;
  /** The value that is to blame, in the declaration's (camelCase) names. */
  readonly path: Path;
  /** The code of a warning, by which users acknowledge it: `endpoint-without-network`. */
  readonly warning?: string | undefined;
  /** One predicate without a full stop: the rule, the value, and how to fix it. */
  readonly message: string;
  /** Set if a string is to blame that resembles an accepted one. The message ends with it. */
  readonly correction?: Correction | undefined;
}

/** Formats a path for people as Terraform does: `option[0].name`, `labels["my-key"]`. */
export function formatPath(path: Path): string {
  let formatted = "";
  for (const step of path) {
    if (typeof step === "number") formatted += `[${step}]`;
    else if (/^[A-Za-z_]\w*$/.test(step)) formatted += formatted === "" ? step : `.${step}`;
    else formatted += `[${JSON.stringify(step)}]`;
  }
  return formatted;
}

const maxLength = 100;

/** Formats a value for a message: as JSON, truncated to 100 characters. Never shows a private key. */
export function display(value: unknown): string {
  let json: string | undefined;
  try {
    json = JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === "bigint" ? inner.toString() : inner,
    );
  } catch {
    json = undefined;
  }
  json ??= String(value);
  if (/-----BEGIN [^-]*PRIVATE KEY/.test(json)) return "a private key";
  return json.length <= maxLength ? json : `${json.slice(0, maxLength - 1)}…`;
}

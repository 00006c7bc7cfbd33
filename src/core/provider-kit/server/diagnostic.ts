import type { Finding, FindingCode, Path } from "../../schema/finding";
import { bugText, detailText, remarkOf } from "../../schema/finding-text";
import { CtyError, type CtyType, partOf, wirePath, wireStep } from "../cty/type";
import { describeThrown } from "../records/log-redactor";
import { ProviderError } from "./provider-error";
import type {
  AttributePathInit,
  AttributePathStepInit,
  DiagnosticInit,
} from "../wire/tfplugin6/tfplugin6-value";

const summaries: Readonly<Record<FindingCode, string>> = {
  INVALID_ARGUMENT: "Invalid Attribute Value",
  WRONG_TYPE: "Wrong Attribute Type",
  MISSING: "Missing Attribute",
  UNKNOWN_PROPERTY: "Unknown Attribute",
  CONFLICT: "Conflicting Attributes",
  REQUIRES: "Missing Companion Attribute",
  ADVICE: "Questionable Attribute Value",
  DEPRECATED: "Deprecated Attribute",
  TOKEN_MISUSE: "Misused Token",
  LITERAL_INTERPOLATION: "Literal Interpolation",
  DUPLICATE: "Duplicate",
};

/** A warning of a handler. */
export interface HandlerWarning {
  /** At most 60 characters, without values. */
  readonly summary: string;
  readonly detail: string;
  /** The value to blame. @default the whole resource */
  readonly path?: Path | undefined;
  /** The code of the warning, as in a declaration's rules. @default none */
  readonly code?: string | undefined;
}

/**
 * Returns the `attribute` field of a diagnostic for a path; an empty object when the whole resource is to
 * blame.
 */
export const attributeOf = (type: CtyType | undefined, path: Path | undefined) =>
  type === undefined || path === undefined || path.length === 0
    ? {}
    : { attribute: toAttributePath(type, path) };

/** Converts a rule's finding to a diagnostic. */
export function findingDiagnostic(type: CtyType, finding: Finding): DiagnosticInit {
  const { severity, path } = finding;
  const { message, code } = remarkOf({ ...finding, path: wirePath(type, path) });
  return {
    severity: severity === "error" ? "ERROR" : "WARNING",
    summary: summaries[finding.code],
    detail: detailText(`${message}.`, code),
    ...attributeOf(type, path),
  };
}

export function warningDiagnostic(type: CtyType, warning: HandlerWarning): DiagnosticInit {
  const { summary, detail, path, code } = warning;
  return {
    severity: "WARNING",
    summary,
    detail: detailText(detail, code),
    ...attributeOf(type, path),
  };
}

/**
 * Converts any thrown value to a diagnostic. Anything but a `ProviderError` is reported as a bug in
 * the provider.
 */
export function errorDiagnostic(error: unknown, type?: CtyType): DiagnosticInit {
  if (error instanceof ProviderError) {
    const { summary, detail, path } = error;
    return { severity: "ERROR", summary, detail, ...attributeOf(type, path) };
  }
  if (error instanceof CtyError) {
    return bugDiagnostic(
      "Value Does Not Match The Schema",
      error.message,
      attributeOf(type, error.path),
    );
  }
  return bugDiagnostic("Unexpected Provider Error", `${describeThrown(error)}${placeOf(error)}`);
}

/** Returns where a handler of the user's own project has thrown an error. */
function placeOf(error: unknown): string {
  const folder = process.env[projectVariable] ?? "";
  if (folder === "" || !(error instanceof Error)) return "";
  const frame = (error.stack ?? "")
    .split("\n")
    .find((line) => line.includes(folder) && !/[/\\]node_modules[/\\]/.test(line));
  return frame === undefined ? "" : `\n  ${frame.trim()}`;
}

/** The folder of the project that has the providers of this process, if `trivet` serves them from there. */
const projectVariable = "TRIVET_PROJECT_FOLDER";

/** Creates a diagnostic for a problem that only the provider's authors can fix. */
export function bugDiagnostic(
  summary: string,
  what: string,
  attribute: Pick<DiagnosticInit, "attribute"> = {},
): DiagnosticInit {
  const isPublished = (process.env[projectVariable] ?? "") === "";
  const detail = bugText(what, isPublished ? "provider" : "project");
  return { severity: "ERROR", summary, detail, ...attribute };
}

/**
 * Translates a path of JavaScript property names to an attribute path of the protocol.
 *
 * The path ends early where Terraform cannot follow it: at a set, whose elements have no address,
 * at a dynamic value, and at a step that the type does not have.
 */
export function toAttributePath(type: CtyType, path: Path): AttributePathInit {
  const steps: AttributePathStepInit[] = [];
  let at: CtyType = type;
  for (const step of path) {
    const next = partOf(at, step);
    if (typeof at === "string" || "set" in at || next === undefined) break;
    const wire = wireStep(at, step);
    if (typeof wire === "number") steps.push({ elementKeyInt: wire });
    else steps.push("object" in at ? { attributeName: wire } : { elementKeyString: wire });
    at = next;
  }
  return { steps };
}

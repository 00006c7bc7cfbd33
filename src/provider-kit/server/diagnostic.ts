import { formatPath, type Finding, type FindingCode, type Path } from "../../schema/finding";
import { CtyError } from "../cty/error";
import { toAttributePath } from "../cty/path";
import type { CtyType } from "../cty/type";
import type { DiagnosticInit } from "../wire/tfplugin6/tfplugin6";
import { ProviderError } from "./provider-error";

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
  const { code, severity, path, message } = finding;
  return {
    severity: severity === "error" ? "ERROR" : "WARNING",
    summary: summaries[code],
    detail: `${formatPath(wirePath(type, path))}: ${message}.\n\nCode: ${code}`,
    ...attributeOf(type, path),
  };
}

/** Converts a handler's warning to a diagnostic. */
export function warningDiagnostic(
  type: CtyType,
  warning: { summary: string; detail: string; path?: Path | undefined },
): DiagnosticInit {
  const { summary, detail, path } = warning;
  return { severity: "WARNING", summary, detail, ...attributeOf(type, path) };
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
  return bugDiagnostic("Unexpected Provider Error", describeThrown(error));
}

/** Describes any thrown value, even one that cannot be converted to a string. */
export function describeThrown(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  } catch {
    return "a value that cannot be shown was thrown";
  }
}

/** Creates a diagnostic for a problem that only the provider's authors can fix. */
export function bugDiagnostic(
  summary: string,
  what: string,
  attribute: Pick<DiagnosticInit, "attribute"> = {},
): DiagnosticInit {
  return {
    severity: "ERROR",
    summary,
    detail: `${what}\n\nThis is a bug in the provider: please report it to its authors.`,
    ...attribute,
  };
}

/** Translates a path from the declaration's names to Terraform's names. */
export function wirePath(type: CtyType, path: Path): Path {
  let at: CtyType | undefined = type;
  return path.map((step) => {
    if (at === undefined || typeof at === "string") return step;
    if ("object" in at) {
      const field = at.object.find(({ name }) => name === step);
      at = field?.type;
      return field?.wire ?? step;
    }
    if ("tuple" in at) at = at.tuple[Number(step)];
    else if ("list" in at) at = at.list;
    else at = "set" in at ? at.set : at.map;
    return step;
  });
}

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
  ADVICE: "Attribute Value Worth A Look",
  DEPRECATED: "Deprecated Attribute",
  TOKEN_MISUSE: "Misused Token",
  LITERAL_INTERPOLATION: "Literal Interpolation",
  DUPLICATE: "Duplicate",
};

/** The attribute at a path; nothing for the whole resource. */
export const attributeOf = (type: CtyType | undefined, path: Path | undefined) =>
  type === undefined || path === undefined || path.length === 0
    ? {}
    : { attribute: toAttributePath(type, path) };

/** A finding of a rule as Terraform shows it. */
export function findingDiagnostic(type: CtyType, finding: Finding): DiagnosticInit {
  const { code, severity, path, message } = finding;
  return {
    severity: severity === "error" ? "ERROR" : "WARNING",
    summary: summaries[code],
    detail: `${formatPath(wirePath(type, path))}: ${message}.\n\nCode: ${code}`,
    ...attributeOf(type, path),
  };
}

/** A warning of a handler. */
export function warningDiagnostic(
  type: CtyType,
  warning: { summary: string; detail: string; path?: Path | undefined },
): DiagnosticInit {
  const { summary, detail, path } = warning;
  return { severity: "WARNING", summary, detail, ...attributeOf(type, path) };
}

/** Whatever was thrown, as Terraform shows it; what no one foresaw is the provider's fault. */
export function errorDiagnostic(error: unknown, type?: CtyType): DiagnosticInit {
  if (error instanceof ProviderError) {
    const { summary, detail, path } = error;
    return { severity: "ERROR", summary, detail, ...attributeOf(type, path) };
  }
  if (error instanceof CtyError) {
    return bugDiagnostic(
      "Value Does Not Fit The Schema",
      error.message,
      attributeOf(type, error.path),
    );
  }
  return bugDiagnostic("Unexpected Error In The Provider", describeThrown(error));
}

/** Anything can be thrown, also what has no text. */
function describeThrown(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  } catch {
    return "something that cannot be shown was thrown";
  }
}

/** What only the provider's authors can mend. */
export function bugDiagnostic(
  summary: string,
  what: string,
  attribute: Pick<DiagnosticInit, "attribute"> = {},
): DiagnosticInit {
  return {
    severity: "ERROR",
    summary,
    detail: `${what}\n\nThis is a bug of the provider: please report it to its authors.`,
    ...attribute,
  };
}

/** A path in Terraform's names. */
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
    else at = "list" in at ? at.list : "set" in at ? at.set : at.map;
    return step;
  });
}

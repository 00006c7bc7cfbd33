import { formatPath, type Path } from "../../schema/finding";
import type { Declaration } from "../../schema/declaration";
import { ctyTypeOf } from "../plan/cty-type";
import { wirePath } from "../server/diagnostic";
import type { Problem } from "./core/problem";
import type { Diagnostic } from "../wire/tfplugin6/tfplugin6-value";

/** A diagnostic of a provider, or of Terraform about a provider. */
export interface HarnessDiagnostic {
  readonly severity: "ERROR" | "WARNING";
  readonly summary: string;
  readonly detail: string;
  /** The path of the value to blame, in Terraform's names; undefined for the whole resource. */
  readonly path: Path | undefined;
}

export const isError = ({ severity }: Pick<HarnessDiagnostic, "severity">): boolean =>
  severity === "ERROR";

/** Converts the diagnostics of a response to plain data. */
export function readDiagnostics(diagnostics: readonly Diagnostic[]): HarnessDiagnostic[] {
  return diagnostics.map(({ severity, summary, detail, attribute }) => ({
    severity: severity === "WARNING" ? "WARNING" : "ERROR",
    summary,
    detail,
    path: attribute && readPath(attribute),
  }));
}

/** Converts an attribute path of the protocol to plain data. */
export const readPath = ({ steps }: NonNullable<Diagnostic["attribute"]>): Path =>
  steps.map(
    ({ attributeName, elementKeyString, elementKeyInt }) =>
      attributeName ?? elementKeyString ?? Number(elementKeyInt),
  );

/** Returns the diagnostics that Terraform's core shows for a response that it does not accept. */
export function coreDiagnostics(
  summary: string,
  declaration: Declaration,
  problems: readonly Problem[],
): HarnessDiagnostic[] {
  return problems.map(({ path, message }) => {
    const at = wirePath(ctyTypeOf(declaration), path);
    const where = at.length === 0 ? declaration.type : `${declaration.type}.${formatPath(at)}`;
    return {
      severity: "ERROR",
      summary,
      detail: `${where}: ${message}.\n\nThis is a bug in the provider.`,
      path: at.length === 0 ? undefined : at,
    };
  });
}

/** Removes duplicate diagnostics. Keeps the order of first occurrence. */
export function distinct(diagnostics: readonly HarnessDiagnostic[]): HarnessDiagnostic[] {
  const byText = new Map(diagnostics.map((each) => [JSON.stringify(each), each] as const));
  return [...byText.values()];
}

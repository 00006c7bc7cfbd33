import { formatPath, type Path } from "../../schema/finding";
import type { Declaration } from "../../schema/declaration";
import { ctyTypeOf } from "../plan/cty-type";
import { wirePath } from "../server/diagnostic";
import type { Diagnostic } from "../wire/tfplugin6/tfplugin6";
import type { Problem } from "./core/problem";

/** What a provider, or Terraform about a provider, tells the user. */
export interface HarnessDiagnostic {
  readonly severity: "ERROR" | "WARNING";
  readonly summary: string;
  readonly detail: string;
  /** The value to blame, in Terraform's names; undefined for the whole. */
  readonly path: Path | undefined;
}

export const isError = ({ severity }: Pick<HarnessDiagnostic, "severity">): boolean =>
  severity === "ERROR";

/** The diagnostics of an answer as plain data. */
export function readDiagnostics(diagnostics: readonly Diagnostic[]): HarnessDiagnostic[] {
  return diagnostics.map(({ severity, summary, detail, attribute }) => ({
    severity: severity === "WARNING" ? "WARNING" : "ERROR",
    summary,
    detail,
    path: attribute && readPath(attribute),
  }));
}

/** An attribute path of the protocol as plain data. */
export const readPath = ({ steps }: NonNullable<Diagnostic["attribute"]>): Path =>
  steps.map(
    ({ attributeName, elementKeyString, elementKeyInt }) =>
      attributeName ?? elementKeyString ?? Number(elementKeyInt),
  );

/** What Terraform's core says about an answer that it does not accept, in its words. */
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

/** Each diagnostic once, in the order in which they came first. */
export function distinct(diagnostics: readonly HarnessDiagnostic[]): HarnessDiagnostic[] {
  const byText = new Map(diagnostics.map((each) => [JSON.stringify(each), each] as const));
  return [...byText.values()];
}

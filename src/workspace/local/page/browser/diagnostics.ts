import type { PreviewDiagnostic } from "../../preview/preview";
import { notice, notices } from "../../../../local-service/page/browser/notices.js";

/** Creates a list of problems, errors first; undefined if there are no problems. */
export function diagnosticList(diagnostics: readonly PreviewDiagnostic[]): HTMLElement | undefined {
  if (diagnostics.length === 0) return undefined;
  const sorted = [
    ...diagnostics.filter(({ severity }) => severity === "error"),
    ...diagnostics.filter(({ severity }) => severity !== "error"),
  ];
  return notices(sorted.map(({ severity, summary, detail }) => notice(severity, summary, detail)));
}

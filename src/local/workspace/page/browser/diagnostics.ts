import type { PreviewDiagnostic } from "../../preview/preview";
import { notice, notices } from "../../../service/page/browser/notices.js";

/** Creates a list of problems, errors first; undefined if there are no problems. */
export function diagnosticList(diagnostics: readonly PreviewDiagnostic[]): HTMLElement | undefined {
  if (diagnostics.length === 0) return undefined;
  const sorted = [
    ...diagnostics.filter(({ severity }) => severity === "error"),
    ...diagnostics.filter(({ severity }) => severity !== "error"),
  ];
  return notices(
    sorted.map(({ severity, summary, detail, place }) => {
      const line = place?.line === undefined ? "" : `, line ${place.line}: ${place.code.trim()}`;
      const where = place === undefined ? "" : ` (${place.file}${line})`;
      return notice(severity, summary, detail + where);
    }),
  );
}

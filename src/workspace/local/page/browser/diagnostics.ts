import type { PreviewDiagnostic } from "../../preview/preview";
import { type Child, element } from "./element.js";

/** Creates a list of problems, errors first; undefined if there are no problems. */
export function diagnosticList(diagnostics: readonly PreviewDiagnostic[]): HTMLElement | undefined {
  if (diagnostics.length === 0) return undefined;
  const sorted = [
    ...diagnostics.filter(({ severity }) => severity === "error"),
    ...diagnostics.filter(({ severity }) => severity !== "error"),
  ];
  return notices(sorted.map(({ severity, summary, detail }) => notice(severity, summary, detail)));
}

export const notices = (...content: readonly Child[]): HTMLElement =>
  element("ul", { class: "notices" }, ...content);

export function notice(
  severity: "error" | "warning",
  summary: string,
  detail?: string,
): HTMLElement {
  return element(
    "li",
    { class: `notice ${severity}` },
    element("strong", {}, `${severity === "error" ? "Error" : "Warning"}: `),
    element("span", {}, summary),
    detail ? element("p", {}, detail) : undefined,
  );
}

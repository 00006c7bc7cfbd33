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

/** Creates a notice. Messages of Terraform begin with the severity, which is shown once. */
export function notice(
  severity: "error" | "warning",
  summary: string,
  detail?: string,
): HTMLElement {
  const label = severity === "error" ? "Error: " : "Warning: ";
  return element(
    "li",
    { class: `notice ${severity}` },
    element("strong", {}, label),
    element("span", {}, summary.startsWith(label) ? summary.slice(label.length) : summary),
    detail ? element("p", {}, detail) : undefined,
  );
}

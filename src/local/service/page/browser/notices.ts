import { type Child, element } from "./element.js";

/** Creates a list of notices. */
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

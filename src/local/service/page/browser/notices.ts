import { type Child, element, fill, found } from "./element.js";
import { ServerFailure } from "./server.js";

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

/** Shows a failure at the top of the page; undefined removes it. */
export function fail(failure: unknown): void {
  const message = failure instanceof Error ? failure.message : String(failure);
  const cure = failure instanceof ServerFailure ? failure.cure : "";
  const box = found("failure", HTMLElement);
  fill(box, failure === undefined ? undefined : notices(notice("error", message, cure)));
}

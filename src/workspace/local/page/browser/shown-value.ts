import type { ShownValue } from "../page-data";
import { element } from "./element.js";
import { post } from "./server.js";

/** Shows a value. Secrets are requested only when the user wants to see them. */
export function shownValue(value: ShownValue, workspace: string, name: string): HTMLElement {
  if ("text" in value) return element("span", { class: "value" }, value.text || '""');
  const { secret } = value;
  const text = element("span", { class: "value" }, "••••••••");
  const button = element(
    "button",
    {
      type: "button",
      class: "quiet",
      "aria-label": `Reveal ${name}`,
      click: () =>
        void post<{ value: string }>("/api/secret", { workspace, ...secret }).then((found) => {
          text.textContent = found.value;
          button.remove();
        }),
    },
    "Reveal",
  );
  return element("span", { class: "secret" }, text, button);
}

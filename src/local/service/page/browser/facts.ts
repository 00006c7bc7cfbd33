import { type Child, element } from "./element.js";

export const badge = (text: string): HTMLElement => element("span", { class: "badge" }, text);

/** Creates a badge whose text is also its class. */
export const markedBadge = (text: string, title: string): HTMLElement =>
  element("span", { class: `badge ${text}`, title }, text);

/** Creates a list of names and values; undefined if it would be empty. */
export function facts(all: readonly (readonly [string, Child])[]): HTMLElement | undefined {
  if (all.length === 0) return undefined;
  return element(
    "dl",
    { class: "facts" },
    all.map(([name, value]) =>
      element("div", {}, element("dt", {}, name), element("dd", {}, value)),
    ),
  );
}

/**
 * Replaces the content of an element. What was open stays open, and the focus stays where it was, as far as the new content
 * has elements with the same `data-key`.
 */
export function replaceContent(parent: Element, ...content: readonly Node[]): void {
  const open = new Set(keyed(parent, "details[open]").map(keyOf));
  const focused = document.activeElement?.closest<HTMLElement>("[data-key]");
  const key = focused && parent.contains(focused) ? keyOf(focused) : undefined;
  parent.replaceChildren(...content);
  for (const details of keyed(parent, "details")) {
    if (open.has(keyOf(details))) details.setAttribute("open", "");
  }
  if (key === undefined) return;
  const again = keyed(parent, "[data-key]").find((each) => keyOf(each) === key);
  (again?.querySelector("summary") ?? again)?.focus();
}

const keyed = (parent: Element, selector: string): readonly HTMLElement[] => [
  ...parent.querySelectorAll<HTMLElement>(selector),
];

const keyOf = ({ dataset }: HTMLElement): string | undefined => dataset["key"];

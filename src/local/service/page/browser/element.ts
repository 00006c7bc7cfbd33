import { isServerFailure } from "./server.js";

type Attribute = string | number | boolean | undefined | ((event: Event) => void);
export type Child = Node | string | undefined | readonly Child[];

/**
 * Creates an element. Attributes that are undefined or false are left out, and functions listen to the
 * event after which they are named. Strings become text, never markup.
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, Attribute>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") created.addEventListener(name, value);
    else if (value !== undefined && value !== false) {
      created.setAttribute(name, value === true ? "" : String(value));
    }
  }
  created.append(...nodesOf(children));
  return created;
}

export function fill(parent: Element, ...children: readonly Child[]): void {
  parent.replaceChildren(...nodesOf(children));
}

/** Sets the children of an element. Children that keep their position keep the focus. */
export function arrange(parent: Element, children: readonly Element[]): void {
  for (const old of [...parent.children]) {
    if (!children.includes(old)) old.remove();
  }
  children.forEach((child, at) => {
    if (parent.children[at] !== child) parent.insertBefore(child, parent.children[at] ?? null);
  });
}

/** Finds an element of the page's HTML by its ID. */
export function found<Type extends Element>(id: string, type: new () => Type): Type {
  const match = document.getElementById(id);
  if (match instanceof type) return match;
  throw new Error(`the page has no ${id}`);
}

let lastId = 0;

export const newId = (): string => `e${++lastId}`;

function nodesOf(children: readonly Child[]): (Node | string)[] {
  return children.flatMap((child) => {
    if (child === undefined || child === "") return [];
    return typeof child === "string" || child instanceof Node ? [child] : nodesOf(child);
  });
}

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
  const cure = isServerFailure(failure) ? failure.cure : "";
  const box = found("failure", HTMLElement);
  fill(box, failure === undefined ? undefined : notices(notice("error", message, cure)));
}

import { element } from "./element.js";

/**
 * Shows the icon of an option, app or script. The page loads nothing from other servers: data URLs are shown,
 * and so are the platform's emojis, whose names are their code points. Other icons become a placeholder with
 * the URL.
 */
export function icon(url: string): HTMLElement | undefined {
  if (url === "") return undefined;
  if (/^data:image\//i.test(url)) return element("img", { class: "icon", src: url, alt: "" });
  const emoji = emojiOf(url);
  if (emoji !== undefined) return element("span", { class: "icon", "aria-hidden": "true" }, emoji);
  const [, name = ""] = /([^/]*?)(?:\.\w+)?(?:[?#].*)?$/.exec(url) ?? [];
  const initials = name.replaceAll(/[^\p{L}\d]/gu, "").slice(0, 2) || "?";
  const title = `Icon ${url} (this page loads no icons from servers)`;
  return element("span", { class: "icon placeholder", title, "aria-hidden": "true" }, initials);
}

function emojiOf(url: string): string | undefined {
  const [, codes] = /\/emojis?\/([\da-f]{2,6}(?:-[\da-f]{2,6})*)\.\w+$/i.exec(url) ?? [];
  const points = (codes?.split("-") ?? []).map((code) => Number.parseInt(code, 16));
  if (points.length === 0 || points.some((point) => point > 0x10ffff)) return undefined;
  return String.fromCodePoint(...points);
}

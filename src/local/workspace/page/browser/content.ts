import { element } from "../../../service/page/browser/element.js";
import type { ShownValue } from "../../view/seen";
import { platformIcon } from "./platform-icons.js";
import { post } from "../../../service/page/browser/server.js";

/**
 * Shows the icon of an option, app or script. The page loads nothing from other servers: data URLs are shown,
 * and so are the platform's common icons, and its emojis, whose names are their code points. Other icons become a
 * placeholder with the URL.
 */
export function icon(url: string): HTMLElement | SVGElement | undefined {
  if (url === "") return undefined;
  const known = platformIcon(url);
  if (known !== undefined) return known;
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

/** Schemes that the link of an app may have: the web, and editors that open workspaces. */
const linkSchemes: ReadonlySet<string> = new Set([
  "http:",
  "https:",
  "ssh:",
  "vscode:",
  "vscode-insiders:",
  "cursor:",
  "windsurf:",
  "zed:",
  "jetbrains:",
  "jetbrains-gateway:",
]);

/** Creates a link that opens in another tab. Undefined if the URL could do anything else than open. */
export function link(
  url: string,
  label: string,
  schemes: ReadonlySet<string> = linkSchemes,
): HTMLElement | undefined {
  if (!URL.canParse(url) || !schemes.has(new URL(url).protocol)) return undefined;
  return element("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, label);
}

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

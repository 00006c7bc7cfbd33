import { element } from "../../../service/page/browser/element.js";
import { post } from "../../../service/page/browser/server.js";
import type { ShownValue } from "../../view/seen";
import { brandIcons } from "./brand-icons.js";

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

/** Draws one of the platform's own icons, such as `/icon/docker.svg`; undefined if the page does not have it. */
function platformIcon(url: string): SVGElement | undefined {
  const [, name = ""] = /^\/icon\/([\w.-]+)\.(?:svg|png)$/.exec(url) ?? [];
  if (Object.hasOwn(drawnIcons, name)) return drawing(drawnIcons[name] ?? "", "icon drawn");
  const brand = Object.hasOwn(brandIcons, name) ? brandIcons[name] : undefined;
  if (brand === undefined) return undefined;
  const drawn = drawing(brand.path, "icon of-brand");
  drawn.style.setProperty("--brand", `#${brand.hex}`);
  return drawn;
}

const namespace = "http://www.w3.org/2000/svg";

function drawing(lines: string, classes: string): SVGElement {
  const picture = document.createElementNS(namespace, "svg");
  picture.setAttribute("viewBox", "0 0 24 24");
  picture.setAttribute("class", classes);
  picture.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(namespace, "path");
  path.setAttribute("d", lines);
  picture.append(path);
  return picture;
}

/** The platform's icons for things rather than brands, drawn in 24 by 24 units: the lines of each. */
const lines = {
  box: "M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9",
  cloud: "M7 18.5a4.2 4.2 0 0 1-.4-8.4 5.6 5.6 0 0 1 10.8-1A4.7 4.7 0 0 1 17 18.5z",
  code: "M8 6.5L2.5 12 8 17.5M16 6.5l5.5 5.5-5.5 5.5M13.6 4.5l-3.2 15",
  database:
    "M4 6c0-1.7 3.6-3 8-3s8 1.3 8 3-3.6 3-8 3-8-1.3-8-3zM4 6v12c0 1.7 3.6 3 8 3s8-1.3 8-3V6M4 12c0 1.7 3.6 3 8 3s8-1.3 8-3",
  desktop: "M3 4h18v12H3zM8.5 20h7M12 16v4",
  file: "M6 3h8l4 4v14H6zM14 3v4h4",
  folder: "M3 19V5h6l2.5 3H21v11z",
  globe:
    "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3.5 9h17M3.5 15h17M12 3c3.6 4.4 3.6 13.6 0 18M12 3c-3.6 4.4-3.6 13.6 0 18",
  image: "M3 5h18v14H3zM3 16.5l5-5 4.5 4.5 2.5-2.5 6 5.5M15.5 8.5v1",
  memory:
    "M7 7h10v10H7zM10 3.5V7M14 3.5V7M10 17v3.5M14 17v3.5M3.5 10H7M3.5 14H7M17 10h3.5M17 14h3.5",
  sliders:
    "M4 7h9M17.5 7H20M4 12h2.5M11 12h9M4 17h10M18.5 17H20M15 4.8v4.4M8.7 9.8v4.4M16.2 14.8v4.4",
  terminal: "M3 4.5h18v15H3zM7 9l3.2 3L7 15M12.5 15.5h4.5",
  widgets: "M4 4h6.5v6.5H4zM13.5 4H20v6.5h-6.5zM4 13.5h6.5V20H4zM13.5 13.5H20V20h-6.5z",
} as const;

/** By the names that the platform gives them. */
const drawnIcons: Readonly<Record<string, string>> = {
  aws: lines.cloud,
  azure: lines.cloud,
  "box-emoji": lines.box,
  code: lines.code,
  "code-insiders": lines.code,
  container: lines.box,
  database: lines.database,
  desktop: lines.desktop,
  devcontainers: lines.box,
  dotfiles: lines.file,
  filebrowser: lines.folder,
  folder: lines.folder,
  globe: lines.globe,
  image: lines.image,
  memory: lines.memory,
  personalize: lines.sliders,
  terminal: lines.terminal,
  widgets: lines.widgets,
};

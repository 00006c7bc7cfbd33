import { element } from "./element.js";

const inline =
  /`(?<code>[^`]+)`|\*\*(?<strong>[^*]+)\*\*|[*_](?<emphasis>[^*_]+)[*_]|\[(?<label>[^\]]+)\]\((?<url>[^()\s]+)\)/g;

/**
 * Shows the part of Markdown that descriptions use: paragraphs, code, bold, italics and links to web
 * pages. Everything else is text, HTML included.
 */
export function markdown(text: string): readonly HTMLElement[] {
  return text
    .trim()
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph !== "")
    .map((paragraph) => element("p", {}, inlineNodes(paragraph)));
}

function inlineNodes(text: string): readonly (Node | string)[] {
  const nodes: (Node | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(inline)) {
    nodes.push(text.slice(end, match.index), styled(match));
    end = match.index + match[0].length;
  }
  return [...nodes, text.slice(end)];
}

function styled({ 0: source, groups = {} }: RegExpMatchArray): Node | string {
  const { code, strong, emphasis, label, url } = groups;
  if (code !== undefined) return element("code", {}, code);
  if (strong !== undefined) return element("strong", {}, strong);
  if (emphasis !== undefined) return element("em", {}, emphasis);
  return link(url ?? "", label ?? "") ?? source;
}

/** Schemes that a link may have: the web, and editors that open workspaces. */
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
export function link(url: string, label: string): HTMLElement | undefined {
  if (!URL.canParse(url) || !linkSchemes.has(new URL(url).protocol)) return undefined;
  return element("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, label);
}

import { icon, link } from "./content.js";
import { element } from "../../../service/page/browser/element.js";
import { MarkdownIt, type Token } from "./markdown-library.js";

/** HTML in a text stays text. */
const parser = new MarkdownIt({ html: false, linkify: true });
parser.linkify.set({ fuzzyLink: false });

/** Longer texts are shown as they are: the time for a hostile text grows faster than its length. */
const maxLength = 20_000;

/**
 * Shows Markdown as the platform does: with headings, lists, tables, code and links to web pages. The elements are made
 * here, from the parser's tokens. No HTML is written or parsed, so there is none to sanitise.
 *
 * Pictures from servers are not loaded: a link to each is shown instead.
 */
export function markdown(text: string): readonly Node[] {
  if (text.length > maxLength) return [element("p", {}, text)];
  return new MarkdownNodes(true).of(parser.parse(text, {}));
}

/**
 * Shows Markdown within a line: emphasis, code and links.
 *
 * @param hasLinks false inside of links and options, which contain none
 */
export function inlineMarkdown(text: string, hasLinks = true): readonly Node[] {
  if (text.length > maxLength) return [document.createTextNode(text)];
  return new MarkdownNodes(hasLinks).of(parser.parseInline(text, {}));
}

/** The elements that tokens name, apart from links and headings. */
const tags = [
  ...(["p", "ul", "ol", "li", "blockquote", "em", "strong", "s"] as const),
  ...(["table", "thead", "tbody", "tr", "th", "td"] as const),
];

/** Headings are below those of the page. */
const headings = ["h3", "h4", "h5", "h6"] as const;

/** As on the platform, where links to editors are only in apps. */
const webSchemes: ReadonlySet<string> = new Set(["http:", "https:", "mailto:"]);

class MarkdownNodes {
  readonly #hasLinks: boolean;
  /** The open elements, the innermost last. */
  readonly #open: Node[] = [document.createDocumentFragment()];
  /** The index of the last heading's level in {@link headings}. */
  #level = -1;

  constructor(hasLinks: boolean) {
    this.#hasLinks = hasLinks;
  }

  of(tokens: readonly Token[]): readonly Node[] {
    this.#add(tokens);
    return [...(this.#open[0]?.childNodes ?? [])];
  }

  #add(tokens: readonly Token[]): void {
    for (const token of tokens) {
      // The paragraphs of a list without empty lines are hidden.
      if (token.hidden) continue;
      if (token.type === "inline") this.#add(token.children ?? []);
      else if (token.nesting === -1) this.#open.pop();
      else if (token.nesting === 0) this.#open.at(-1)?.appendChild(this.#leaf(token));
      else this.#enter(this.#opened(token));
    }
  }

  #enter(opened: HTMLElement): void {
    // Wide tables scroll.
    const isTable = opened instanceof HTMLTableElement;
    this.#open
      .at(-1)
      ?.appendChild(isTable ? element("div", { class: "table", tabindex: 0 }, opened) : opened);
    this.#open.push(opened);
  }

  #opened(token: Token): HTMLElement {
    if (token.type === "heading_open") return this.#heading(Number(token.tag.slice(1)));
    if (token.type === "link_open") return this.#link(attribute(token, "href"));
    const tag = tags.find((each) => each === token.tag) ?? "span";
    const [, align] = /text-align:\s*(\w+)/.exec(attribute(token, "style")) ?? [];
    return element(tag, {
      class: align === undefined ? undefined : `align-${align}`,
      start: attribute(token, "start") || undefined,
    });
  }

  #leaf(token: Token): Node {
    if (token.type !== "image") return leaf(token);
    return picture(attribute(token, "src"), token.content, this.#hasLinks);
  }

  /** Leaves out no level, whatever the author has written: screen readers lead from level to level. */
  #heading(depth: number): HTMLElement {
    this.#level = Math.min(this.#level + 1, depth - 1, headings.length - 1);
    return element(headings[this.#level] ?? "h6");
  }

  #link(url: string): HTMLElement {
    const found = this.#hasLinks ? link(url, "", webSchemes) : undefined;
    return found ?? element("span", { title: this.#hasLinks ? url : undefined });
  }
}

const attribute = (token: Token, name: string): string => String(token.attrGet(name) ?? "");

function leaf(token: Token): Node {
  switch (token.type) {
    case "code_inline":
      return element("code", {}, token.content);
    case "fence":
    case "code_block":
      return element("pre", { tabindex: 0 }, element("code", {}, token.content));
    case "hardbreak":
      return element("br");
    case "softbreak":
      return document.createTextNode("\n");
    case "hr":
      return element("hr");
    default:
      return document.createTextNode(token.content);
  }
}

/** Shows the pictures that the page has, and a link to any other. */
function picture(url: string, text: string, hasLinks: boolean): Node {
  if (url.startsWith("data:")) return element("img", { class: "picture", src: url, alt: text });
  const label = text === "" ? "Picture" : `Picture: ${text}`;
  const opened = link(url, label, webSchemes);
  if (opened === undefined) return icon(url) ?? document.createTextNode(label);
  opened.title = `${url} (this page loads no pictures from servers)`;
  return element("span", { class: "picture" }, hasLinks ? opened : label);
}

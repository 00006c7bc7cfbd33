// @ts-check

/**
 * Makes the empty corner of a table a cell: a header without a text tells nothing to those who hear the page.
 *
 * @param {import("vitepress").MarkdownRenderer} md
 */
export function emptyHeaders(md) {
  md.core.ruler.push("empty-headers", ({ tokens }) => {
    tokens.forEach((token, index) => {
      const [content, end] = tokens.slice(index + 1, index + 3);
      if (token.type !== "th_open" || content?.content !== "" || end === undefined) return;
      token.tag = end.tag = "td";
    });
  });
}

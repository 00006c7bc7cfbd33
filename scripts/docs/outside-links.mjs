// @ts-check
import { posix } from "node:path";

/**
 * Leads links that leave `docs` to the repository, or makes them plain text while the repository has no address.
 *
 * @param {import("vitepress").MarkdownRenderer} md
 * @param {string | undefined} repository the address of the files, such as `https://example.com/trivet/blob/main/`
 */
export function outsideLinks(md, repository) {
  md.core.ruler.push("outside-links", ({ tokens, env }) => {
    for (const { children } of tokens) {
      /** @type {NonNullable<typeof children>} */
      const open = [];
      for (const token of children ?? []) {
        if (token.type === "link_open") open.push(token);
        const start = token.type === "link_close" ? open.pop() : undefined;
        const target =
          start && outside(String(env["relativePath"] ?? ""), String(start.attrGet("href") ?? ""));
        if (start === undefined || target === undefined) continue;
        if (repository !== undefined) start.attrSet("href", `${repository}${target}`);
        else {
          for (const each of [start, token]) each.tag = "span";
          start.attrs = [["title", target]];
          start.type = token.type = "outside_link";
        }
      }
    }
  });
  md.renderer.rules["outside_link"] = (tokens, index, options, _env, renderer) =>
    renderer.renderToken(tokens, index, options);
}

/**
 * The path in the checkout of a link that leaves `docs`; undefined for other links.
 *
 * @param {string} page
 * @param {string} href
 */
function outside(page, href) {
  if (/^(?:[a-z]+:|\/|#)/i.test(href)) return undefined;
  const path = posix.normalize(posix.join("docs", posix.dirname(page), href));
  return path.startsWith("docs/") ? undefined : path;
}

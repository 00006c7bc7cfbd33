// @ts-check
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../providers.mjs";

/**
 * Begins the start page with the README, which says what Trivet is. Its last section is what the start page has itself.
 *
 * @param {import("vitepress").MarkdownRenderer} md
 */
export function startPage(md) {
  const [readme = ""] = readFileSync(join(root, "README.md"), "utf8").split("\n## Documentation\n");
  const here = readme
    .replaceAll(/\]\((?!https?:|#|docs\/)/g, "](../")
    .replaceAll("](docs/README.md", "](README.md")
    .replaceAll("](docs/", "](");
  md.core.ruler.before("normalize", "start-page", (state) => {
    if (!/^(?:README|index)\.md$/.test(String(state.env["relativePath"] ?? ""))) return;
    state.src = `${here}\n${state.src.replace(/^# /, "## ")}`;
  });
}

// @ts-check
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../providers.mjs";

/** The folder of the pages, as they are in the checkout and in the package. */
export const docs = join(root, "docs");

/**
 * @typedef {{ readonly title: string, readonly path: string, readonly about: string }} Entry
 * @typedef {{ readonly title: string, readonly entries: readonly Entry[] }} Section
 */

/**
 * The sections of `docs/README.md`: the order in which the site and `llms.txt` list the pages.
 *
 * @returns {Promise<readonly Section[]>}
 */
export async function sections() {
  const text = await readFile(join(docs, "README.md"), "utf8");
  return text
    .split(/^## /m)
    .slice(1)
    .flatMap((part) => {
      const [title = "", ...rest] = part.split("\n");
      const groups = rest.join("\n").split(/^(?=[^\n-][^\n]*:$)/m);
      return groups.map((group) => ({
        title: /^(.*):$/m.exec(group.split("\n", 1)[0] ?? "")?.[1] ?? title,
        entries: entriesIn(group),
      }));
    })
    .filter(({ entries }) => entries.length > 0);
}

/**
 * @param {string} text
 * @returns {readonly Entry[]}
 */
function entriesIn(text) {
  const links = [...text.matchAll(/\[([^\]]+)\]\(([^)#]+\.md)\)(?::\s+([^\n]+(?:\n +[^\n]+)*))?/g)];
  /** @type {Map<string, Entry>} */
  const found = new Map();
  for (const [, title = "", path = "", about = ""] of links) {
    if (!found.has(path)) found.set(path, { title, path, about: about.replaceAll(/\s+/g, " ") });
  }
  return [...found.values()];
}

/**
 * All pages, by their path in `docs`.
 *
 * @returns {Promise<ReadonlyMap<string, string>>}
 */
export async function pages() {
  const names = await readdir(docs, { recursive: true });
  const paths = names
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".md"))
    .sort();
  return new Map(
    await Promise.all(
      paths.map(
        async (path) => /** @type {const} */ ([path, await readFile(join(docs, path), "utf8")]),
      ),
    ),
  );
}

/** @param {string} path */
export const addressOf = (path) => path.replace(/(^|\/)README\.md$/, "$1index.md");

/**
 * The address of a heading, as Git hosts make it.
 *
 * @param {string} heading
 */
export const slugOf = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}\p{Pc}\s-]/gu, "")
    .replaceAll(/\s/g, "-");

// @ts-check

/**
 * The order of search results for a text that was copied from a terminal: what has phrases of it as its title, or is about a
 * code in it, comes first, and what is about the insides of Trivet last. Runs in the browser.
 *
 * @template {{ readonly id: string, readonly title: string, readonly score: number }} Result
 * @param {readonly Result[]} results
 * @param {string} query
 * @returns {Result[]}
 */
export function inOrder(results, query) {
  const given = pairs(query);
  const codes = [...query.matchAll(/[[(]([\w-]+)[\])]/g)].map(([, code = ""]) => code);
  return results
    .map((result) => {
      const isInside = /\/(?:design\/|contributing|releasing|performance)/.test(result.id);
      const own = [...pairs(result.title)];
      const shared = own.filter((pair) => given.has(pair)).length;
      const about = codes.map((code) => {
        if (result.title === code) return 8;
        return result.id.includes(`/codes/${code}.`) ? 2 : 0;
      });
      const phrase = own.length === 0 ? 0 : (shared * shared) / own.length;
      const factor = 1 + phrase + Math.max(0, ...about);
      return { ...result, score: result.score * factor * (isInside ? 0.3 : 1) };
    })
    .sort((a, b) => b.score - a.score);
}

/**
 * Each two words that follow each other. A value, which is `…` in the title of a message, separates them.
 *
 * @param {string} text
 */
function pairs(text) {
  /** @type {Set<string>} */
  const found = new Set();
  for (const part of text.toLowerCase().split("…")) {
    const words = part.match(/[\p{L}\p{N}]+/gu) ?? [];
    words.slice(1).forEach((word, at) => found.add(`${words[at]} ${word}`));
  }
  return found;
}

/** What is replaced in the search of VitePress. */
const search = "index.search(filterTextValue)";
const script = "<script setup>";

/**
 * Puts {@link inOrder} into the search of VitePress, which has no setting for an order.
 *
 * @returns {import("vite").Plugin}
 */
export const orderedSearch = () => ({
  name: "trivet:ordered-search",
  enforce: "pre",
  transform(code, id) {
    if (!id.endsWith("/VPLocalSearchBox.vue")) return undefined;
    if (!code.includes(`results.value = ${search}.slice(0, 16);`) || !code.includes(script))
      throw new Error("The search of VitePress is another one: adapt search-order.mjs.");
    const imported = `import { inOrder } from ${JSON.stringify(import.meta.filename)};`;
    return code
      .replace(search, `inOrder(${search}, filterTextValue)`)
      .replace(script, `${script}\n${imported}`);
  },
});

// @ts-check
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { addressOf, pages, sections } from "./pages.mjs";

/**
 * Writes what coding assistants read: each page as Markdown beside its HTML, the list of the pages in `llms.txt`, and
 * all of them in `llms-full.txt`.
 *
 * @param {string} output the folder of the site
 * @param {string} description one sentence
 * @see https://llmstxt.org
 */
export async function writeForAssistants(output, description) {
  const all = await pages();
  for (const [path, text] of all) {
    const file = join(output, addressOf(path));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, withAddresses(text));
  }
  const list = (await sections()).map(({ title, entries }) => {
    const lines = entries.map(({ title: name, path, about }) =>
      about === ""
        ? `- [${name}](${addressOf(path)})`
        : `- [${name}](${addressOf(path)}): ${about}`,
    );
    return `## ${title}\n\n${lines.join("\n")}`;
  });
  const head = `# Trivet\n\n> ${description}`;
  await writeFile(join(output, "llms.txt"), `${[head, ...list].join("\n\n")}\n`);
  const listed = (await sections()).flatMap(({ entries }) => entries.map(({ path }) => path));
  const order = [...new Set([...listed, ...all.keys()])].filter((path) => path !== "README.md");
  const full = order.map(
    (path) => `<!-- ${addressOf(path)} -->\n\n${(all.get(path) ?? "").trim()}`,
  );
  await writeFile(join(output, "llms-full.txt"), `${[head, ...full].join("\n\n")}\n`);
}

/** @param {string} text */
const withAddresses = (text) => text.replaceAll(/\]\(((?:[^)#\s]*\/)?)README\.md/g, "]($1index.md");

// @ts-check
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { providers, root } from "../providers.mjs";
import { loadSources } from "../source.mjs";
import { examples } from "./examples.mjs";

const folder = "docs/examples";

/**
 * The pages of the examples: for each provider, every example in TypeScript, and the JSON that it synthesizes.
 *
 * @returns {Promise<Map<string, string>>} path in the checkout to content
 */
export async function gallery() {
  /** @type {Map<string, string>} */
  const files = new Map();
  /** @type {string[]} */
  const list = [];
  for (const { name } of providers) {
    const pages = [...(await examples(name))].sort(([a], [b]) => (a < b ? -1 : 1));
    const synthesized = await synthesizedBy(
      name,
      pages.map(([page]) => page),
    );
    const sections = await Promise.all(
      pages.map(async ([page, { typescript }], index) => {
        const reference = `../reference/${name}/${page}.md`;
        const [, title = page] =
          /^# (.*)$/m.exec(await readFile(join(root, folder, reference), "utf8")) ?? [];
        return {
          title: title.replace(/ \((.*)\)$/, (_, kind) => ` (${kind.toLowerCase()})`),
          text: `[Reference](${reference})\n\n${fence("typescript", typescript)}\n\nThe stack synthesizes:\n\n${fence("json", synthesized[index] ?? "")}`,
        };
      }),
    );
    const body = sections.map(({ title, text }) => `## ${title}\n\n${text}`).join("\n\n");
    files.set(
      `${folder}/${name}.md`,
      `${mark}\n\n# Examples of ${name}\n\nEach example is deployed by the tests, in TypeScript and in HCL.\n\n${body}\n`,
    );
    const links = sections.map(({ title }) => `- [${title}](${name}.md#${slug(title)})`);
    list.push(`## ${name}\n\n${links.join("\n")}`);
  }
  const about =
    "What each construct looks like in TypeScript, and the JSON that Terraform gets from it. The `terraform` section is left\nout: it names the providers, and differs in each version.";
  files.set(`${folder}/index.md`, `${mark}\n\n# Examples\n\n${about}\n\n${list.join("\n\n")}\n`);
  return files;
}

const mark = "<!-- Generated from examples/: npm run gen -->";

/**
 * @param {string} language
 * @param {string} code
 */
const fence = (language, code) => `\`\`\`${language}\n${code}\n\`\`\``;

/** @param {string} title */
const slug = (title) =>
  title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, "")
    .replaceAll(/\s/g, "-");

/**
 * @param {string} name
 * @param {readonly string[]} pages
 * @returns {Promise<readonly string[]>}
 */
async function synthesizedBy(name, pages) {
  const imports = pages.map(
    (page, at) => `export * as page${at} from "./examples/${name}/${page}/main";`,
  );
  const loaded = await loadSources(['export { Testing } from "cdktf";', ...imports].join("\n"));
  return pages.map((_, at) => {
    const { Example } = loaded[`page${at}`];
    const { Testing } = loaded;
    /** @type {Record<string, unknown>} */
    const stack = JSON.parse(Testing.synth(new Example(Testing.app(), "example"), true));
    delete stack["terraform"];
    delete stack["//"];
    return JSON.stringify(stack, null, 2);
  });
}

// @ts-check
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { providers, root } from "../providers.mjs";
import { loadSources } from "../source.mjs";
import { declaredRules } from "./declared-rules.mjs";

const folder = "docs/reference/codes";

const accepted =
  "The value is accepted, but probably not intended. Correct it, or\n" +
  "[acknowledge the warning](../../guide/checking-stacks.md#warnings-that-you-accept) with this code and a reason.";

const refused =
  "The value is refused before anything is changed: by the construct, when the stack is synthesized, or in the plan.\n" +
  "It cannot be acknowledged.";

/** What a person must still write for a new code. `test/docs/codes.test.ts` fails until it is done. */
const unwritten = "## Why\n\n## Wrong\n\n## Right\n";

/**
 * A page for each code of an error or a warning, and their list. What is between `## Why` and `## Rules` is written
 * by hand in the page itself, and kept.
 *
 * @returns {Promise<Map<string, string>>} path in the checkout to content
 */
export async function codes() {
  const { knownWarnings, errorMeanings, ...definitions } = await loadSources(
    [
      'import "./src/index"; export { knownWarnings, errorMeanings } from "./src/core/schema";',
      ...providers.map(
        ({ name }) =>
          `export { provider as ${name} } from "./src/core/${name}/provider-definition";`,
      ),
    ].join("\n"),
  );
  const rules = declaredRules(Object.values(definitions).flatMap(declarationsOf));
  const errors = Object.entries(errorMeanings).map(([code, meaning]) => ({ code, doc: meaning }));
  const warnings = [...knownWarnings().values()].sort((a, b) => (a.code < b.code ? -1 : 1));
  /** @type {Map<string, string>} */
  const files = new Map([[`${folder}/index.md`, indexPage(errors, warnings)]]);
  for (const { code, doc } of [...errors, ...warnings]) {
    const head = Object.hasOwn(errorMeanings, code)
      ? [`**Error:** ${doc}.`, refused]
      : [`**Warning:** ${doc}.`, accepted];
    const path = `${folder}/${code}.md`;
    const sections = [
      `<!-- Generated from the rules down to "Why", and from "Rules" on: npm run gen. The rest is written by hand. -->`,
      `# ${code}`,
      ...head,
      await writtenPart(path),
      ...rulesSection(rules.get(code) ?? []),
    ];
    files.set(path, `${sections.map((each) => each.trim()).join("\n\n")}\n`);
  }
  return files;
}

/** @param {any} definition */
function declarationsOf(definition) {
  const {
    resources = [],
    dataSources = [],
    ephemeralResources = [],
    listResources = [],
  } = definition;
  const served = [...resources, ...dataSources, ...ephemeralResources, ...listResources];
  return [definition.declaration, ...served.map(({ declaration }) => declaration)];
}

/** @param {string} path */
async function writtenPart(path) {
  const page = await readFile(join(root, path), "utf8").catch(() => "");
  return /^## Why\n[^]*?(?=^## Rules\n|(?![^]))/m.exec(page)?.[0] ?? unwritten;
}

/** @param {readonly import("./declared-rules.mjs").DeclaredRule[]} rules */
function rulesSection(rules) {
  if (rules.length === 0) return [];
  const rows = rules.map(({ where, doc }) => `| \`${where}\` | ${cell(doc)} |`);
  return ["## Rules", `| Where | Rule |\n| --- | --- |\n${rows.join("\n")}`];
}

/** @typedef {{ readonly code: string, readonly doc: string }} Meaning */

/**
 * @param {readonly Meaning[]} errors
 * @param {readonly Meaning[]} warnings
 */
function indexPage(errors, warnings) {
  /** @param {readonly Meaning[]} list */
  const table = (list) =>
    ["| Code | Meaning |", "| --- | --- |"]
      .concat(list.map(({ code, doc }) => `| [\`${code}\`](${code}.md) | ${cell(doc)} |`))
      .join("\n");
  return `<!-- Generated from the rules: npm run gen -->

# Codes of errors and warnings

Each error and each warning about your stack has a code. A message shows it in brackets, or in its last line where
Terraform shows the message. \`trivet explain CODE\` prints the page of a code, and what the
[codes of verdicts](../../guide/verdicts.md#codes) about images mean.

## Errors

${table(errors)}

## Warnings

A value with a warning is accepted, but probably not intended. If it is intended,
[acknowledge the warning](../../guide/checking-stacks.md#warnings-that-you-accept) with its code and a reason.

${table(warnings)}
`;
}

/** @param {string} text */
const cell = (text) =>
  text
    .replaceAll("|", "\\|")
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith("`") ? part : part.replaceAll("<", "&lt;")))
    .join("");

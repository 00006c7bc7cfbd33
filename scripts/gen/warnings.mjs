// @ts-check
import { loadSources } from "../source.mjs";

/**
 * The page of the codes of all warnings.
 *
 * @returns {Promise<Map<string, string>>} path in the checkout to content
 */
export async function warnings() {
  const { knownWarnings } = await loadSources(
    'import "./src/index"; export { knownWarnings } from "./src/schema";',
  );
  /** @type {readonly { readonly code: string, readonly doc: string }[]} */
  const all = [...knownWarnings().values()];
  const rows = [...all]
    .sort((a, b) => (a.code < b.code ? -1 : 1))
    .map(({ code, doc }) => `| \`${code}\` | ${doc.replaceAll("|", "\\|")} |`);
  const text = `<!-- Generated from the rules: npm run gen -->

# Warnings

A value with a warning is accepted, but probably not intended. Each warning ends with its code. If the value is
intended, [acknowledge the warning](../guide/checking-stacks.md#warnings-that-you-accept) with that code and a reason.

| Code | What is warned of |
| --- | --- |
${rows.join("\n")}
`;
  return new Map([["docs/reference/warnings.md", text]]);
}

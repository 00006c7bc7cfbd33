// @ts-check
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** A host that cannot exist: whoever publishes the package writes an address of their own. */
const placeholder = /[\w.-]+\.invalid\b/;

/**
 * Says what only the publisher of a package knows, and has not filled in yet.
 *
 * @param {string} root
 */
export async function placeholders(root) {
  const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const fields = ["homepage", "repository", "bugs"].filter(
    (name) => manifest[name] === undefined || placeholder.test(JSON.stringify(manifest[name])),
  );
  const open = fields.map((name) => `"${name}" in package.json`);
  if (placeholder.test(await readFile(join(root, "SECURITY.md"), "utf8"))) {
    open.push("the contact in SECURITY.md");
  }
  return open.map((each) => `It has a placeholder that its publisher fills in: ${each}.`);
}

// @ts-check
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** A host that cannot exist: whoever publishes the package writes an address of their own. */
const placeholder = /[\w.-]+\.invalid\b/;

/** What is true only until the first release: the README in the tarball is the page of the package for ever. */
const phrases =
  "registry yet|on no registry|not released yet|Until [0-9.]+ is published|/trivet-(constructs|provider-kit)-[0-9]";

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
  // The pages about releases, and the tests, name the phrases.
  const pages = ["README.md", "CHANGELOG.md", "docs", "templates", ":!docs/releasing.md"];
  const { stdout } = spawnSync("git", ["grep", "-nE", phrases, "--", ...pages], {
    cwd: root,
    encoding: "utf8",
  });
  const untrue = stdout.split("\n").filter((line) => line !== "");
  return [
    ...untrue.map((line) => `It says what is untrue once it is published: ${line.slice(0, 120)}`),
    ...open.map((each) => `It has a placeholder that its publisher fills in: ${each}.`),
  ];
}

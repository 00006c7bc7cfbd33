// @ts-check
import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../providers.mjs";

/** What a build reads, and what npm writes when it has changed a package. */
const sources = [
  "src",
  "bindings",
  "stacks",
  "scripts",
  "package.json",
  "node_modules/.package-lock.json",
];

/** True if the last build was made of what is there now, as after `npm ci`, which builds. */
export async function isBuilt() {
  const packages = join(root, "dist", "providers");
  // The tests are for a development build.
  if (existsSync(join(packages, "release.json"))) return false;
  const built = await modified(join(packages, "versions.json"));
  return built > Math.max(...(await Promise.all(sources.map((each) => newest(join(root, each))))));
}

/**
 * @param {string} path
 * @returns {Promise<number>}
 */
async function newest(path) {
  const entries = await readdir(path).catch(() => []);
  const times = await Promise.all(entries.map((name) => newest(join(path, name))));
  return Math.max(await modified(path), ...times);
}

/**
 * @param {string} path
 * @returns {Promise<number>} 0 if there is nothing
 */
const modified = (path) =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );

// @ts-check
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the checkout: all paths in these scripts are relative to it. */
export const root = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");

/** @type {readonly string[]} */
const names = JSON.parse(readFileSync(join(root, "scripts", "providers.json"), "utf8"));

/** The providers of this package, as listed in `providers.json`. */
export const providers = names.map((name) => ({ name, source: `trivet.local/trivet/${name}` }));

/** @param {string} name */
export function providerEntry(name) {
  return join("src", "core", name, "main.ts");
}

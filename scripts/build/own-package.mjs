// @ts-check
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as esbuild from "esbuild";
import { providerEntry, root } from "../providers.mjs";
import { loadSource } from "../source.mjs";

/** @type {typeof import("../../src/pack/index.js")} */
const pack = await loadSource("src/pack/index.ts");
const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8"));

/**
 * A release is built in a folder whose `node_modules` is a link. Paths of modules are in the result, so they
 * must not depend on where that link leads.
 *
 * @type {import("../../src/pack/bundle.js").Bundler}
 */
const bundler = {
  ...esbuild,
  build: (options) => esbuild.build({ ...options, preserveSymlinks: true }),
};

/**
 * Packages one of our own providers, as `trivet pack` packages those of others.
 *
 * @param {string} folder where to write it
 * @param {{ name: string, version: string | undefined }} provider without a version, a development build
 */
export async function writeOwnPackage(folder, { name, version }) {
  const made = await pack.providerPackage(bundler, {
    root,
    entry: providerEntry(name),
    name,
    version,
    minimumNode: manifest.engines.node.replace(/^>=/, ""),
    // `src/http` reads the certificates when it first connects.
    defersCertificates: true,
  });
  for (const warning of made.warnings) console.error(`${name}: ${warning}`);
  const changed = await pack.writePackage(folder, made);
  /** @type {Map<string, string>} */
  const digests = new Map();
  for (const [file, text] of made.files) digests.set(file, pack.sha256(text));
  return { ...made, changed, hash: pack.contentHash(digests) };
}

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
 * Packages one of our own providers, as `trivet pack` packages those of others.
 *
 * @param {string} folder where to write it
 * @param {{ name: string, version: string | undefined }} provider without a version, a development build
 */
export async function writeOwnPackage(folder, { name, version }) {
  const made = await pack.providerPackage(esbuild, {
    root,
    entry: providerEntry(name),
    name,
    version,
    minimumNode: manifest.engines.node.replace(/^>=/, ""),
    // `src/http` reads the certificates when it first connects.
    defersCertificates: true,
  });
  for (const warning of made.warnings) console.error(`${name}: ${warning}`);
  return { ...made, changed: await pack.writePackage(folder, made) };
}

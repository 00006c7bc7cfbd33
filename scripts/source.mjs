// @ts-check
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import { root } from "./providers.mjs";

/**
 * Loads a module of `src` without a build, for scripts that run before the build. Packages are bundled
 * too, so the module must not use a package that reads files next to itself.
 *
 * @param {string} path relative to the checkout
 * @returns {Promise<any>} its exports
 */
export const loadSource = (path) => load({ entryPoints: [path] });

/**
 * As {@link loadSource}, several modules of `src` that share what they define.
 *
 * @param {string} contents TypeScript that imports from `./src`
 * @returns {Promise<any>} its exports
 */
export const loadSources = (contents) =>
  load({ stdin: { contents, resolveDir: root, loader: "ts" } });

/**
 * @param {Pick<esbuild.BuildOptions, "entryPoints" | "stdin">} entry
 * @returns {Promise<any>}
 */
async function load(entry) {
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    // Examples import the package by its name.
    alias: { "@trivet/constructs": "./src/index.ts" },
    ...entry,
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    write: false,
    logLevel: "warning",
  });
  const folder = await mkdtemp(join(tmpdir(), "trivet-source-"));
  try {
    const file = join(folder, "module.cjs");
    await writeFile(file, outputFiles[0]?.contents ?? "");
    return (await import(pathToFileURL(file).href)).default;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

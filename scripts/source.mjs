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
export async function loadSource(path) {
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [path],
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

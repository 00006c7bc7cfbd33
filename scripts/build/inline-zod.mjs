// @ts-check
import { rm } from "node:fs/promises";
import { join } from "node:path";
import * as esbuild from "esbuild";

/**
 * Replaces the compiled `schema/zod.js` by a bundle of itself, so that whoever loads the library loads
 * the constructors its rules use, not the zod package. Its declaration file stays.
 *
 * @param {string} root
 */
export async function inlineZod(root) {
  const compiled = join(root, "dist", "src", "schema", "zod.js");
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: [join("src", "schema", "zod.ts")],
    outfile: compiled,
    allowOverwrite: true,
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    legalComments: "none",
    logLevel: "warning",
  });
  await rm(`${compiled}.map`, { force: true });
}

// @ts-check
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as esbuild from "esbuild";

/** Modules that only re-export what the library uses of a package, or of code that needs the package. */
const facades = [
  { module: "schema/zod", library: "zod" },
  { module: "workspace/grammar/re2", library: "re2js" },
  { module: "pack/zip-library", library: "fflate" },
  { module: "signing/verify/policy-check", library: "re2js" },
];

/** The packages of which parts are in the compiled files. */
export const inlinedLibraries = [...new Set(facades.map(({ library }) => library))];

/**
 * Replaces each compiled facade of a library with a bundle of it, so that users load only the parts that
 * are used and do not need the package. The declaration file is kept. The library's licence is at the top.
 *
 * @param {string} root
 */
export async function inlineLibraries(root) {
  for (const { module, library } of facades) {
    const compiled = join(root, "dist", "src", `${module}.js`);
    const licence = await readFile(join(root, "node_modules", library, "LICENSE"), "utf8");
    await esbuild.build({
      absWorkingDir: root,
      entryPoints: [join("src", `${module}.ts`)],
      outfile: compiled,
      allowOverwrite: true,
      preserveSymlinks: true,
      bundle: true,
      format: "cjs",
      platform: "node",
      target: "node20",
      legalComments: "none",
      banner: { js: `/*!\n${licence.trim()}\n*/` },
      logLevel: "warning",
    });
  }
}

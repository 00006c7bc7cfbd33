// @ts-check
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import * as esbuild from "esbuild";

/**
 * Writes the provider kit as ES modules to `dist/module`, for bundlers only: they can leave out what a
 * provider does not use, and keep in files of their own what it loads on demand. So a provider of a user's
 * starts as fast as ours, which are bundled from the sources.
 *
 * @param {string} root
 */
export async function writeKitModules(root) {
  const outdir = join("dist", "module");
  await rm(join(root, outdir), { recursive: true, force: true });
  const licence = await readFile(join(root, "node_modules", "zod", "LICENSE"), "utf8");
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: [
      { in: "src/provider-kit/index.ts", out: "provider-kit" },
      { in: "src/provider-kit/host/index.ts", out: "provider-kit-host" },
    ],
    outdir,
    preserveSymlinks: true,
    outExtension: { ".js": ".mjs" },
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    legalComments: "none",
    // What rules use of zod is in it: inside, it is loaded with the first rule.
    banner: { js: `/*!\n${licence.trim()}\n*/` },
    logLevel: "warning",
  });
}

// @ts-check
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as esbuild from "esbuild";
import { noticesOfBundle, pack } from "./notices.mjs";

/** The paths by which users import the kit, their modules below `src`, and the ES modules for bundlers, if any. */
export const kitEntries = [
  { path: ".", module: "core/provider-kit/index", bundle: "provider-kit" },
  { path: "./host", module: "core/provider-kit/host/index", bundle: "provider-kit-host" },
  { path: "./testing", module: "core/provider-kit/testing/index", bundle: undefined },
];

/**
 * Writes the provider kit as ES modules to `dist/module`, for bundlers only: they can leave out what a
 * provider does not use, and keep in files of their own what it loads on demand. So a provider of a user's
 * starts as fast as ours, which are bundled from the sources.
 *
 * What rules use of zod is in it: inside, it is loaded with the first rule. The licences are in a file beside it,
 * where `trivet-provider pack` finds them.
 *
 * @param {string} root
 * @returns what is in that file
 */
export async function writeKitModules(root) {
  const outdir = join("dist", "module");
  const built = await esbuild.build({
    absWorkingDir: root,
    entryPoints: kitEntries.flatMap(({ module, bundle }) =>
      bundle === undefined ? [] : [{ in: `src/${module}.ts`, out: bundle }],
    ),
    outdir,
    write: false,
    metafile: true,
    preserveSymlinks: true,
    outExtension: { ".js": ".mjs" },
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    legalComments: "external",
    logLevel: "warning",
  });
  const notices = await noticesOfBundle(root, built);
  await rm(join(root, outdir), { recursive: true, force: true });
  await mkdir(join(root, outdir), { recursive: true });
  for (const file of built.outputFiles) {
    if (!pack.isLegalFile(file)) await writeFile(file.path, file.contents);
  }
  await writeFile(join(root, outdir, pack.noticesFile), pack.licenceNotices(notices));
  return notices;
}

// @ts-check
import { basename } from "node:path";
import * as esbuild from "esbuild";

/**
 * Bundles a program so that each dynamic import of one of our modules is a separate file, which is read
 * when it is needed: heavy libraries behind such an import do not slow down the start. Code that two
 * files share moves into a third, so that a class stays one class.
 *
 * esbuild can split only ES modules, but CommonJS starts faster and needs no package.json next to it. So
 * the bundle is split first, and then each file is translated. The output depends only on the sources,
 * not on the folder.
 *
 * @param {{ root: string, entry: string, name: string, define: Record<string, string>, banner: string }} program
 * @returns {Promise<Map<string, string>>} file name to content; `<name>.cjs` is the entry
 */
export async function bundle({ root, entry, name, define, banner }) {
  const split = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [{ in: entry, out: name }],
    outdir: "out",
    outExtension: { ".js": ".cjs" },
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    minify: true,
    legalComments: "none",
    define,
    write: false,
    logLevel: "warning",
  });
  /** @type {Map<string, string>} */
  const files = new Map();
  for (const file of split.outputFiles) {
    const fileName = basename(file.path);
    const { code } = await esbuild.transform(file.text, {
      format: "cjs",
      platform: "node",
      target: "node20",
      supported: { "dynamic-import": false },
      minify: true,
      legalComments: "none",
      banner: fileName === `${name}.cjs` ? `"use strict";${banner}` : '"use strict";',
    });
    files.set(fileName, code);
  }
  return files;
}

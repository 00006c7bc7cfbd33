// @ts-check
import { basename } from "node:path";
import * as esbuild from "esbuild";
import { packFiles } from "./pack-files.mjs";

/**
 * Bundles a program so that what a dynamic import of one of our modules loads is in separate files, which are
 * read when they are needed: heavy libraries behind such an import do not slow down the start. Code that two
 * files share moves into a third, so that a class stays one class.
 *
 * esbuild can split only ES modules, but CommonJS starts faster and needs no package.json next to it. So
 * the bundle is split first, then each file is translated, and small files are packed together. The output
 * depends only on the sources, not on the folder.
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
    metafile: true,
    logLevel: "warning",
  });
  const made = new Map(
    Object.entries(split.metafile.outputs).map(([path, output]) => [basename(path), output]),
  );
  /** @type {Map<string, import("./pack-files.mjs").SplitFile>} */
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
    });
    const { imports = [], entryPoint } = made.get(fileName) ?? {};
    const needed = (/** @type {string} */ kind) =>
      imports
        .filter((each) => each.kind === kind && each.external !== true)
        .map(({ path }) => basename(path));
    files.set(fileName, {
      name: fileName,
      code,
      isShared: entryPoint === undefined,
      statics: needed("import-statement"),
      dynamics: needed("dynamic-import"),
    });
  }
  return packFiles({ files, entry: `${name}.cjs`, banner });
}

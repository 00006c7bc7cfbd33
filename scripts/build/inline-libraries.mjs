// @ts-check
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as esbuild from "esbuild";
import { noticesOfBundle, pack } from "./notices.mjs";

/** @typedef {import("../../src/cli/provider-package/index.js").Notices} Notices */

/** Modules that only give out what the library uses of a package, or of code that needs the package. */
const facades = [
  "core/schema/zod",
  "core/regular-expression/re2",
  "cli/provider-package/zip-library",
  "cli/provider-package/licences/standard-texts",
  "core/signing/verify/policy-check",
  "cli/language-server/protocol",
];

/** The folder of the page's modules, below `dist/src`. */
const page = join("local", "workspace", "page", "browser");

/** The same in the page: browsers resolve no packages. */
const pageFacades = ["markdown-library", "brand-icons"].map((name) => join(page, name));

/** @satisfies {import("esbuild").BuildOptions} */
const forNode = /** @type {const} */ ({ format: "cjs", platform: "node", target: "node20" });

/** @satisfies {import("esbuild").BuildOptions} */
const forBrowsers = /** @type {const} */ ({
  format: "esm",
  platform: "browser",
  target: "es2022",
  minify: true,
});

/**
 * Replaces each compiled facade of a library with a bundle of it, so that users load only the parts that
 * are used and do not need the package. The declaration file is kept. The library's licence is at the top.
 *
 * @param {string} root
 * @returns what is at the top of each file, by its module
 */
export async function inlineLibraries(root) {
  /** @type {Map<string, Notices>} */
  const all = new Map();
  for (const module of [...facades, ...pageFacades]) {
    const compiled = join(root, "dist", "src", `${module}.js`);
    const bundle = await esbuild.build({
      absWorkingDir: root,
      entryPoints: [join("src", `${module}.ts`)],
      outfile: compiled,
      write: false,
      metafile: true,
      preserveSymlinks: true,
      bundle: true,
      ...(pageFacades.includes(module) ? forBrowsers : forNode),
      legalComments: "external",
      logLevel: "warning",
    });
    const notices = await noticesOfBundle(root, bundle);
    const code = bundle.outputFiles.find((file) => !pack.isLegalFile(file))?.text ?? "";
    const comment = pack.licenceNotices(notices).trim().replaceAll("*/", "* /");
    await mkdir(dirname(compiled), { recursive: true });
    await writeFile(compiled, `/*!\n${comment}\n*/\n${code}`);
    all.set(module, notices);
  }
  return all;
}

/**
 * What is in those facades that are among the modules of a package.
 *
 * @param {ReadonlyMap<string, Notices>} facades by their modules below `dist/src`
 * @param {{ has: (module: string) => boolean }} modules
 */
export function facadesAmong(facades, modules) {
  return [...facades].flatMap(([name, notices]) =>
    modules.has(join("dist", "src", name)) ? [notices] : [],
  );
}

/**
 * What is in the facades of the library, its command and its page.
 *
 * @param {ReadonlyMap<string, Notices>} facades by their modules below `dist/src`
 * @param {{ has: (module: string) => boolean }} published the modules that the library and its command load
 */
export const publishedFacades = (facades, published) =>
  facadesAmong(facades, {
    has: (module) => published.has(module) || module.startsWith(join("dist", "src", page)),
  });

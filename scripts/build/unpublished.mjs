// @ts-check
import { readdir, writeFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { compiledModules } from "./compiled-modules.mjs";

/**
 * Keeps compiled modules that neither the library nor its command loads out of the npm package: the providers, which are
 * in it as bundles, and most of the provider kit, which is a package of its own.
 *
 * @param {string} root
 * @param {{ entries: readonly string[], page: string }} loaded the modules that users start from, such as
 *   `dist/src/index`, and the folder below `dist/src` whose modules are served to browsers
 */
export async function writeUnpublished(root, { entries, page }) {
  const source = join("dist", "src");
  const needed = await compiledModules(root, entries);
  const files = await readdir(join(root, source), { recursive: true });
  const unpublished = files.filter((file) => {
    const [, name] = /^(.*?)(?:\.d\.ts|\.js)$/.exec(file) ?? [];
    return name !== undefined && !file.startsWith(page) && !needed.has(join(source, name));
  });
  const lines = unpublished.map((file) => `/${file.replaceAll(sep, "/")}\n`).sort();
  await writeFile(join(root, source, ".npmignore"), lines.join(""));
}

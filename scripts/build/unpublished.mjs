// @ts-check
import { readdir, writeFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { providers } from "../providers.mjs";
import { compiledModules, hasTypes } from "./compiled-modules.mjs";

const source = join("dist", "src");

/**
 * The modules that users of the library import: `index`, that of each provider, and that for tests.
 *
 * @param {string} folder of a flavour, such as `dist/src`
 */
export function libraryEntries(folder = source) {
  return ["", ...providers.map(({ name }) => join("core", name)), join("planner", "testing")].map(
    (each) => join(folder, each, "index"),
  );
}

/**
 * The compiled modules that the library and its command load.
 *
 * @param {string} root
 */
export async function publishedModules(root) {
  const command = join(source, "cli", "main");
  // What the command has loaded into the process of an app, and what that starts as a thread.
  const inApp = ["app-process/preload", "user-code/loop-watch"].map((each) =>
    join(source, "cli", each),
  );
  const flavours = [...libraryEntries(), ...libraryEntries(join(source, "cdktn"))];
  const verify = join(source, "core", "signing", "verify", "index");
  // What the command starts for the providers of a project.
  const serving = join(source, "cli", "project-providers", "main");
  const entries = [...flavours, verify, command, ...inApp, serving];
  return await compiledModules(root, entries);
}

/**
 * Keeps compiled modules that neither the library nor its command loads out of the npm package: the providers, which are
 * in it as bundles, and most of the provider kit, which is a package of its own.
 *
 * @param {string} root
 * @param {{ has: (module: string) => boolean }} published the modules that they load
 * @param {readonly string[]} pages the folders below `src` whose modules are served to browsers
 */
export async function writeUnpublished(root, published, pages) {
  const files = await readdir(join(root, source), { recursive: true });
  const unpublished = files.filter((file) => {
    const [, name, extension] = /^(.*?)(\.d\.ts|\.js)$/.exec(file) ?? [];
    if (name === undefined || pages.some((page) => file.startsWith(page))) return false;
    const isPrivate = extension === ".d.ts" && !hasTypes(join(source, file));
    return isPrivate || !published.has(join(source, name));
  });
  const lines = unpublished.map((file) => `/${file.replaceAll(sep, "/")}\n`).sort();
  await writeFile(join(root, source, ".npmignore"), lines.join(""));
}

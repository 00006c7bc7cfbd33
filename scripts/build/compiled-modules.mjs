// @ts-check
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** What a compiled file imports. Examples in comments look the same, and are translated as well. */
export const specifier = /(\bfrom |\bimport |\b(?:require|import)\()(["'])([^"'\n]+)\2/g;

/**
 * A compiled module: its files by their extension, and the names of the modules that they import.
 *
 * @typedef {{ files: ReadonlyMap<string, string>, imports: readonly string[] }} Module
 */

/**
 * Whether the types of a module are for users. Nobody imports the command.
 *
 * @param {string} declarations the path of its types in the package
 */
export const hasTypes = (declarations) => !declarations.startsWith(join("dist", "src", "cli"));

/**
 * The modules that the entries load, and those that their types refer to.
 *
 * @param {string} root
 * @param {readonly string[]} entries
 */
export async function compiledModules(root, entries) {
  /** @type {Map<string, Module>} */
  const modules = new Map();
  const waiting = [...entries];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (modules.has(name)) continue;
    /** @type {Map<string, string>} */
    const files = new Map();
    /** @type {string[]} */
    const imports = [];
    for (const extension of hasTypes(`${name}.d.ts`) ? [".js", ".d.ts"] : [".js"]) {
      const text = await readFile(join(root, name + extension), "utf8");
      files.set(extension, text);
      for (const [, , , imported = ""] of text.matchAll(specifier)) {
        imports.push(...moduleNamed(imported, { root, name }));
      }
    }
    modules.set(name, { files, imports });
    waiting.push(...imports);
  }
  return modules;
}

/**
 * The module of ours that a specifier names: none for a package, or in a comment of a bundled library.
 *
 * @param {string} imported
 * @param {{ root: string, name: string }} by
 */
export function moduleNamed(imported, { root, name }) {
  if (!imported.startsWith(".")) return [];
  const path = join(dirname(name), imported.replace(/\.js$/, ""));
  return [path, join(path, "index")]
    .filter((each) => existsSync(join(root, `${each}.js`)))
    .slice(0, 1);
}

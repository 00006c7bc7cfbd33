// @ts-check
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";

/** The compiled folders of which there is a copy for cdktn, in `<folder>/cdktn`. */
const folders = [join("dist", "src"), join("dist", "bindings")];

/** What a compiled file imports. Examples in comments look the same, and are translated as well. */
const specifier = /(\bfrom |\bimport |\b(?:require|import)\()(["'])([^"'\n]+)\2/g;

/** The name of the library, as a specifier or as a value. */
const library = /(["'])cdktf\1/g;

/**
 * A compiled module: its files by their extension, and the names of the modules that they import.
 *
 * @typedef {{ files: ReadonlyMap<string, string>, imports: readonly string[] }} Module
 */

/**
 * Derives `trivet/cdktn` from the compiled files for cdktf: a copy of each module that needs cdktf, directly
 * or through others, with "cdktn" in place of "cdktf". Both share all other modules.
 *
 * @param {string} root
 * @param {readonly string[]} entries names of modules, such as `dist/src/index`
 */
export async function deriveCdktnFlavour(root, entries) {
  const modules = await loadedModules(root, entries);
  const derived = modulesWithLibrary(modules);
  for (const folder of folders) {
    await rm(join(root, folder, "cdktn"), { recursive: true, force: true });
  }
  for (const [name, { files }] of modules) {
    if (!derived.has(name)) continue;
    for (const [extension, text] of files) {
      const path = join(root, copyOf(name) + extension);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, translate(text, { root, name, derived, extension }));
    }
  }
}

/**
 * The modules that the entries load, and those that their types refer to.
 *
 * @param {string} root
 * @param {readonly string[]} entries
 */
async function loadedModules(root, entries) {
  /** @type {Map<string, Module>} */
  const modules = new Map();
  const waiting = [...entries];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (modules.has(name)) continue;
    /** @type {Map<string, string>} */
    const files = new Map();
    /** @type {string[]} */
    const imports = [];
    for (const extension of [".js", ".d.ts"]) {
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

/** @param {ReadonlyMap<string, Module>} modules */
function modulesWithLibrary(modules) {
  const needs = (/** @type {string} */ text) => text.search(library) !== -1;
  const found = new Set(
    [...modules].flatMap(([name, { files }]) => ([...files.values()].some(needs) ? [name] : [])),
  );
  for (let size = 0; size !== found.size;) {
    size = found.size;
    for (const [name, { imports }] of modules) {
      if (imports.some((each) => found.has(each))) found.add(name);
    }
  }
  return found;
}

/**
 * @param {string} text
 * @param {{ root: string, name: string, extension: string, derived: ReadonlySet<string> }} file
 */
function translate(text, { root, name, extension, derived }) {
  const folder = dirname(copyOf(name));
  const body = text
    .replace(specifier, (_, before, quote, imported) => {
      const [module] = moduleNamed(imported, { root, name });
      const translated =
        module === undefined
          ? imported.replace(/^trivet(?=$|\/)/, "trivet/cdktn")
          : relativeTo(folder, module, derived);
      return `${before}${quote}${translated}${quote}`;
    })
    .replace(library, "$1cdktn$1");
  return `// Generated from ${name.replaceAll(sep, "/")}${extension}, for cdktn in place of cdktf.\n${body}`;
}

/**
 * @param {string} folder
 * @param {string} name
 * @param {ReadonlySet<string>} derived
 */
function relativeTo(folder, name, derived) {
  const path = relative(folder, derived.has(name) ? copyOf(name) : name).replaceAll(sep, "/");
  return path.startsWith(".") ? path : `./${path}`;
}

/**
 * The module of ours that a specifier names: none for a package, or in a comment of a bundled library.
 *
 * @param {string} imported
 * @param {{ root: string, name: string }} by
 */
function moduleNamed(imported, { root, name }) {
  if (!imported.startsWith(".")) return [];
  const path = join(dirname(name), imported.replace(/\.js$/, ""));
  return [path, join(path, "index")]
    .filter((each) => existsSync(join(root, `${each}.js`)))
    .slice(0, 1);
}

/** @param {string} name */
function copyOf(name) {
  const folder = folders.find((each) => name.startsWith(each + sep));
  if (folder === undefined) throw new Error(`${name} is in none of ${folders.join(", ")}`);
  return join(folder, "cdktn", relative(folder, name));
}

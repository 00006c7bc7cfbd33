// @ts-check
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { compiledModules, moduleNamed, specifier } from "./compiled-modules.mjs";

/** @typedef {import("./compiled-modules.mjs").Module} Module */

/** The compiled folders of which there is a copy for cdktn, in `<folder>/cdktn`. */
const folders = [join("dist", "src"), join("dist", "bindings")];

/** The name of the library, as a specifier or as a value. */
const library = /(["'])cdktf\1/g;

/**
 * Derives `@trivet/constructs/cdktn` from the compiled files for cdktf: a copy of each module that needs cdktf, directly
 * or through others, with "cdktn" in place of "cdktf". Both share all other modules.
 *
 * @param {string} root
 * @param {readonly string[]} entries names of modules, such as `dist/src/index`
 */
export async function deriveCdktnFlavour(root, entries) {
  const modules = await compiledModules(root, entries);
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
          ? imported.replace(/^@trivet\/constructs(?=$|\/)/, "@trivet/constructs/cdktn")
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

/** @param {string} name */
function copyOf(name) {
  const folder = folders.find((each) => name.startsWith(each + sep));
  if (folder === undefined) throw new Error(`${name} is in none of ${folders.join(", ")}`);
  return join(folder, "cdktn", relative(folder, name));
}

// @ts-check
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { moduleNamed } from "./compiled-modules.mjs";

/** What TypeScript makes of `export { … } from "…"`: the module is loaded at once, and each name is a getter. */
const reexport =
  /^var (\w+) = (require\("([^"]+)"\));\n((?:Object\.defineProperty\(exports, "\w+", \{ enumerable: true, get: function \(\) \{ return \1\.\w+; \} \}\);\n)+)/gm;

/** One of its getters. */
const getter = /^Object\.defineProperty\(exports, ("\w+"), .* return \w+\.(\w+); \} \}\);$/gm;

/**
 * Defines a getter. A function of its own, because Node.js reads the names of exports from the text, and ignores those with
 * getters of another form than TypeScript's.
 */
const helper =
  "var __deferred = (name, get) => Object.defineProperty(exports, name, { enumerable: true, get });\n";

/** An import for what the module does, such as the check that cdktf is installed. */
const effect = /^require\(/m;

/**
 * Lets modules load what they only export when it is used, so that a stack loads the constructs, bindings and rules of
 * its own resources, and no others. What has an effect when it is loaded is loaded at once, as before.
 *
 * @param {string} root
 * @param {ReadonlyMap<string, import("./compiled-modules.mjs").Module>} modules by their names, such as `dist/src/index`
 */
export async function deferExports(root, modules) {
  for (const [name, { files }] of modules) {
    const text = files.get(".js") ?? "";
    const deferred = text.replace(reexport, (eager, variable, load, specifier, getters) => {
      const [imported = ""] = moduleNamed(specifier, { root, name });
      if (effect.test(modules.get(imported)?.files.get(".js") ?? "")) return eager;
      // Kept, because `require` takes a microsecond even for what is loaded.
      const loaded = `(${variable} ??= ${load})`;
      const lines = getters.replace(getter, `__deferred($1, () => ${loaded}.$2);`);
      return `var ${variable};\n${lines}`;
    });
    if (deferred === text) continue;
    await writeFile(join(root, `${name}.js`), deferred.replace(/^var /m, `${helper}var `));
  }
}

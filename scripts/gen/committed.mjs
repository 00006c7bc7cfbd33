// @ts-check
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { root } from "../providers.mjs";

/**
 * The differences between the checkout and the generated files.
 *
 * @param {ReadonlyMap<string, string>} generated path in the checkout to content
 * @param {readonly string[]} folders folders that may contain only generated files; of `src`, only its `generated.ts`
 * @returns {Promise<{ change: "missing" | "stale" | "left over", path: string }[]>}
 */
export async function differences(generated, folders) {
  /** @type {{ change: "missing" | "stale" | "left over", path: string }[]} */
  const found = [];
  for (const [path, text] of generated) {
    const committed = await readFile(join(root, path), "utf8").catch(() => undefined);
    if (committed === undefined) found.push({ change: "missing", path });
    else if (committed !== text) found.push({ change: "stale", path });
  }
  for (const folder of folders) {
    const names = await readdir(join(root, folder), { recursive: true }).catch(() => []);
    for (const name of names) {
      const path = `${folder}/${name.replaceAll("\\", "/")}`;
      const mayBeLeftOver = folder.startsWith("src/")
        ? path.endsWith("/generated.ts")
        : /\.(ts|md|json)$/.test(path);
      if (mayBeLeftOver && !generated.has(path)) {
        found.push({ change: "left over", path });
      }
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * @param {ReadonlyMap<string, string>} generated
 * @param {readonly { path: string }[]} changes
 */
export async function write(generated, changes) {
  for (const { path } of changes) {
    const text = generated.get(path);
    const file = join(root, path);
    if (text === undefined) {
      await rm(file);
    } else {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
  }
}

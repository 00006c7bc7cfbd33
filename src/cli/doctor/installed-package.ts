import { readFile, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isObject, parsedJson, type Properties } from "../../core/json/plain-json";

/** A package in a folder `node_modules`. */
export interface InstalledPackage {
  /** Its folder, without symbolic links: npm, pnpm and Yarn link packages of a workspace. */
  readonly folder: string;
  readonly manifest: Properties;
}

/** Finds the package that Node.js loads from a folder. Returns undefined if there is none with a manifest. */
export async function installedPackage(
  name: string,
  start: string,
): Promise<InstalledPackage | undefined> {
  for (let folder = start; ; folder = dirname(folder)) {
    const found = join(folder, "node_modules", name);
    const manifest = await manifestIn(found);
    if (manifest !== undefined) return { folder: await realpath(found), manifest };
    if (dirname(folder) === folder) return undefined;
  }
}

/** Reads `package.json` in a folder. Returns undefined if there is none. */
export async function manifestIn(folder: string): Promise<Properties | undefined> {
  const text = await readFile(join(folder, "package.json"), "utf8").catch(() => undefined);
  const manifest = text === undefined ? undefined : parsedJson(text);
  return isObject(manifest) ? manifest : undefined;
}

import { createHash } from "node:crypto";
import { readdir, readFile, readlink } from "node:fs/promises";
import { join, relative } from "node:path";

/** Differs when any file of the folder does, by its path or by what is in it. */
export async function contentHash(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => ({ path: join(entry.parentPath, entry.name), isLink: entry.isSymbolicLink() }))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
  const all = createHash("sha256");
  for (const { path, isLink } of files) {
    const content = isLink ? await readlink(path) : await readFile(path);
    const hash = createHash("sha256").update(content).digest("hex");
    all.update(`${JSON.stringify(relative(folder, path))} ${hash}\n`);
  }
  return all.digest("hex");
}

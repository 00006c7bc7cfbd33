import { readFile, readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { contentHash, sha256 } from "../../pack/digests";

/** Terraform's `h1:` checksum of an unpacked provider package in a folder, as in lock files. */
export async function packageHash(folder: string): Promise<string> {
  const digests = new Map<string, string>();
  for (const path of await filesBelow(folder)) {
    digests.set(relative(folder, path).split(sep).join("/"), sha256(await readFile(path)));
  }
  return contentHash(digests);
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

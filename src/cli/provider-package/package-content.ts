import { constants } from "node:fs";
import { lstat, readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { contentHash } from "./digests";

/** The error for a folder with content that no package may have. The message names it. */
export class PackageContentError extends Error {
  override readonly name = "PackageContentError";
}

/**
 * Returns Terraform's `h1:` checksum of an unpacked package in a folder, as in lock files.
 *
 * @throws PackageContentError like {@link readPackage}
 */
export async function packageHash(folder: string): Promise<string> {
  return contentHash(await readPackage(folder));
}

/** Like {@link packageHash}, but returns undefined if the folder has content that no package may have. */
export async function hashIfPackage(folder: string): Promise<string | undefined> {
  try {
    return await packageHash(folder);
  } catch (failure) {
    if (failure instanceof PackageContentError) return undefined;
    throw failure;
  }
}

/**
 * Reads all files of an unpacked package, by their path with slashes.
 *
 * Terraform's checksum covers only files, and for a link it uses the file that the link leads to. A package
 * with a link can therefore have the same checksum as one without, so only files and folders are accepted.
 *
 * @throws PackageContentError if the folder is a link, or contains a link, a special file, or a file whose
 * name cannot be part of a checksum
 */
export async function readPackage(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const found = await lstat(folder);
  if (!found.isDirectory()) throw refused(folder, found);
  const files = new Map<string, Buffer>();
  await addFiles(files, folder, "");
  return files;
}

async function addFiles(files: Map<string, Buffer>, folder: string, below: string): Promise<void> {
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    const name = `${below}${entry.name}`;
    const path = join(folder, name);
    refuseName(path, entry.name);
    if (entry.isDirectory()) await addFiles(files, folder, `${name}/`);
    else if (!entry.isFile()) throw refused(path, entry);
    else {
      const flag = constants.O_RDONLY | constants.O_NOFOLLOW;
      files.set(name, await readFile(path, { flag }));
    }
  }
}

function refuseName(path: string, name: string): void {
  if (name.includes("\n")) throw new PackageContentError(`${path} has a name with a line break`);
  // Node.js puts U+FFFD in place of such bytes.
  if (name.includes("\u{FFFD}")) {
    throw new PackageContentError(`${path} has a name with bytes that are not UTF-8`);
  }
}

function refused(path: string, found: { readonly isSymbolicLink: () => boolean }) {
  const kind = found.isSymbolicLink() ? "a symbolic link" : "neither a file nor a folder";
  return new PackageContentError(`${path} is ${kind}`);
}

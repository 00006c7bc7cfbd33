import { failures } from "../../core/failure/failure";
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The error for a folder with content that no package may have. */
export const [packageContentError, isPackageContentError] =
  failures<"CONTENT">("PackageContentError");

/**
 * Returns Terraform's `h1:` checksum of an unpacked package in a folder, as in lock files.
 *
 * @throws PackageContentError like {@link readPackage}
 */
export async function packageHash(folder: string): Promise<string> {
  return contentHash(await readPackage(folder));
}

/** Like {@link packageHash}, but returns undefined if the folder is not a package. */
export async function hashIfPackage(folder: string): Promise<string | undefined> {
  try {
    return await packageHash(folder);
  } catch (failure) {
    if (isPackageContentError(failure)) return undefined;
    throw failure;
  }
}

/**
 * Reads all files of an unpacked package, by their path with slashes.
 *
 * Accepts only files and folders. Terraform's checksum follows links, so a package with a link could have the same checksum as
 * one without.
 *
 * @throws PackageContentError if the folder is a link, or contains a link, a special file, or a file whose name cannot be part
 * of a checksum
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
  if (name.includes("\n"))
    throw packageContentError("CONTENT", `${path} has a name with a line break`);
  // Node.js puts U+FFFD in place of such bytes.
  if (name.includes("\u{FFFD}")) {
    throw packageContentError("CONTENT", `${path} has a name with bytes that are not UTF-8`);
  }
}

function refused(path: string, found: { readonly isSymbolicLink: () => boolean }) {
  const kind = found.isSymbolicLink() ? "a symbolic link" : "neither a file nor a folder";
  return packageContentError("CONTENT", `${path} is ${kind}`);
}

/** The path of each file, with slashes, and its content. */
export type PackageContent = ReadonlyMap<string, string | Uint8Array>;

/** Returns the SHA-256 digest of some bytes in hexadecimal digits. */
export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/**
 * Returns Terraform's `h1:` checksum of a package, as in lock files: SHA-256 over the lines of `sha256sum`.
 *
 * @see https://developer.hashicorp.com/terraform/language/files/dependency-lock#h1
 */
export function contentHash(files: PackageContent): string {
  return `h1:${createHash("sha256").update(checksumLines(files)).digest("base64")}`;
}

/** Returns the lines of `sha256sum`, sorted by the bytes of the path. */
export function checksumLines(files: PackageContent): string {
  return [...files]
    .map(([path, content]) => ({ bytes: Buffer.from(path), line: `${sha256(content)}  ${path}\n` }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ line }) => line)
    .join("");
}

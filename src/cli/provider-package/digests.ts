import { createHash } from "node:crypto";

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

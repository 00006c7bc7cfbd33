import { createHash } from "node:crypto";

/** The SHA-256 digest of some bytes, in hexadecimal digits. */
export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/**
 * Terraform's `h1:` checksum of an unpacked package, as in lock files: SHA-256 over one line per file,
 * `<hex SHA-256>  <path>`, sorted by path.
 *
 * @param digests the path of each file, with slashes, and its SHA-256 digest
 * @see https://developer.hashicorp.com/terraform/language/files/dependency-lock#h1
 */
export function contentHash(digests: ReadonlyMap<string, string>): string {
  const lines = [...digests]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, digest]) => `${digest}  ${path}\n`);
  return `h1:${createHash("sha256").update(lines.join("")).digest("base64")}`;
}

/** The lines of `sha256sum`, sorted by file name. */
export function checksumLines(files: ReadonlyMap<string, string | Uint8Array>): string {
  return [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, content]) => `${sha256(content)}  ${name}\n`)
    .join("");
}

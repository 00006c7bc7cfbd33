import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";

/**
 * Terraform's `h1:` checksum of an unpacked provider package, as in lock files: SHA-256 over one line per
 * file, `<hex SHA-256>  <path>`, sorted by path.
 *
 * @see https://developer.hashicorp.com/terraform/language/files/dependency-lock#h1
 */
export async function packageHash(folder: string): Promise<string> {
  const lines: string[] = [];
  for (const path of await filesBelow(folder)) {
    const digest = createHash("sha256").update(await readFile(path));
    lines.push(`${digest.digest("hex")}  ${relative(folder, path).split(sep).join("/")}\n`);
  }
  const byPath = (line: string) => line.slice(66);
  lines.sort((a, b) => (byPath(a) < byPath(b) ? -1 : 1));
  return `h1:${createHash("sha256").update(lines.join("")).digest("base64")}`;
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

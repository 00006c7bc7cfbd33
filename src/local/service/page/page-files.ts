import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";

/** A file of a page. */
export interface PageFile {
  readonly type: string;
  readonly content: Buffer;
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/**
 * Reads all files of a folder into memory, by the paths at which they are served.
 *
 * @param prefix of these paths. `index.html` is served without its name
 */
export async function pageFiles(
  folder: string,
  prefix: string,
): Promise<readonly (readonly [string, PageFile])[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.flatMap((entry) => {
    const type = types[extname(entry.name)];
    return entry.isFile() && type !== undefined ? [{ entry, type }] : [];
  });
  return await Promise.all(
    files.map(async ({ entry, type }) => {
      const file = join(entry.parentPath, entry.name);
      const path = prefix + file.slice(folder.length).replaceAll("\\", "/");
      const content = await readFile(file);
      return [path === "/index.html" ? "/" : path, { type, content }] as const;
    }),
  );
}

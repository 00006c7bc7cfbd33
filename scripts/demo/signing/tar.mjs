// @ts-check
import { buffer } from "node:stream/consumers";
import { pack } from "tar-stream";

/** @typedef {{ path: string, content: Buffer, mode?: number }} TarFile */

/**
 * A tar archive: the same files always produce the same bytes.
 *
 * @param {readonly TarFile[]} files
 * @returns {Promise<Buffer>}
 */
export async function tar(files) {
  const archive = pack();
  for (const { path, content, mode = 0o644 } of files) {
    archive.entry({ name: path, mode, mtime: new Date(0) }, content);
  }
  archive.finalize();
  return buffer(archive);
}

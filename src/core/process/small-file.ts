import { failures } from "../failure/failure";
import { constants } from "node:fs";
// Not "node:fs/promises", which takes several milliseconds to load: this loads it on first use.
import { promises as files } from "node:fs";
import { systemErrorCode } from "./system-error";

/** Explains why a file cannot be used, in a clause such as `it is not a regular file`. */
export const [fileProblem, isFileProblem] = failures<"FILE">("FileProblem");

/**
 * Reads a small regular file as text; undefined if it does not exist.
 *
 * @param links whether a symbolic link at the path is followed, or is a problem
 * @throws FileProblem if it is not a regular file, is larger than `maxBytes`, or cannot be read
 */
export async function readSmallFile(
  path: string,
  maxBytes: number,
  links: "followed" | "refused" = "followed",
): Promise<string | undefined> {
  let file: Awaited<ReturnType<typeof files.open>> | undefined;
  try {
    // Opening a pipe would block until another process writes to it.
    const flags = constants.O_RDONLY | constants.O_NONBLOCK;
    file = await files.open(path, links === "followed" ? flags : flags | constants.O_NOFOLLOW);
    if (!(await file.stat()).isFile()) throw fileProblem("FILE", "it is not a regular file");
    // One byte more than allowed shows that the file is too large, even if it grows meanwhile.
    const buffer = Buffer.alloc(maxBytes + 1);
    let size = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, size, buffer.byteLength - size, null);
      size += bytesRead;
      if (bytesRead === 0 || size === buffer.byteLength) break;
    }
    if (size < buffer.byteLength) return buffer.toString("utf8", 0, size);
    throw fileProblem("FILE", `it has more than ${maxBytes} bytes`);
  } catch (error) {
    if (isFileProblem(error)) throw error;
    const code = systemErrorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw fileProblem("FILE", `reading it failed with ${code ?? "an unknown error"}`, {
      cause: error,
    });
  } finally {
    await file?.close();
  }
}

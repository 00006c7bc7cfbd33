import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { failureCode } from "../../../http/failure";
import { ServiceError } from "../service/service-error";
import { tokenLimits } from "./token-request";

/**
 * Reads a small regular file with a token or credentials; undefined if it does not exist.
 *
 * @param content what the file contains, for messages
 * @throws ServiceError
 */
export async function readTokenFile(path: string, content: string): Promise<string | undefined> {
  const place = `${content} in ${path}`;
  const unreadable = (problem: string, cause?: unknown) =>
    new ServiceError("IDENTITY", `Cannot use ${place}: ${problem}.`, cause);
  let file: FileHandle | undefined;
  try {
    // Opening a pipe would block until another process writes to it.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!(await file.stat()).isFile()) throw unreadable("it is not a regular file");
    // One byte more than allowed shows that the file is too large, even if it grows meanwhile.
    const buffer = Buffer.alloc(tokenLimits.maxBytes + 1);
    const size = await fill(file, buffer);
    if (size < buffer.byteLength) return buffer.toString("utf8", 0, size);
    throw unreadable(`it has more than ${tokenLimits.maxBytes} bytes`);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    const code = failureCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw unreadable(`reading it failed with ${code ?? "an unknown error"}`, error);
  } finally {
    await file?.close();
  }
}

/** Reads until the end of the file or of the buffer. */
async function fill(file: FileHandle, buffer: Buffer): Promise<number> {
  let size = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, size, buffer.byteLength - size, null);
    size += bytesRead;
    if (bytesRead === 0 || size === buffer.byteLength) return size;
  }
}

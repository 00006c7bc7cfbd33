import { randomUUID } from "node:crypto";
// Not "node:fs/promises", which takes several milliseconds to load: `promises` loads it on first use.
import {
  constants,
  mkdirSync,
  promises as files,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { failures } from "../failure/failure";
import { hasCode, systemErrorCode } from "./system-error";

/** The options of {@link writeFileAtomically}. */
export interface AtomicFileOptions {
  /** The permissions of the file, subject to the umask. @default 0o644 */
  readonly mode?: number;
  /** The permissions of folders that are created, subject to the umask. @default 0o777 */
  readonly folderMode?: number;
  /**
   * Flushes the content to disk before the file appears, so that it survives a power failure.
   *
   * @default false
   */
  readonly isSynced?: boolean;
}

/**
 * Writes a file atomically: readers see all of it or nothing, even after a crash. Creates missing
 * folders. If it fails, no temporary file is left behind.
 */
export async function writeFileAtomically(
  file: string,
  content: string | Uint8Array,
  { mode = 0o644, folderMode, isSynced = false }: AtomicFileOptions = {},
): Promise<void> {
  const temporary = temporaryName(file);
  const write = (): Promise<void> =>
    files.writeFile(temporary, content, { mode, flag: "wx", flush: isSynced });
  try {
    await write().catch(async (error: unknown) => {
      if (!hasCode(error, "ENOENT")) throw error;
      await files.mkdir(dirname(file), foldersWith(folderMode));
      await write();
    });
    await files.rename(temporary, file);
  } catch (error) {
    await files.rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** The synchronous form of {@link writeFileAtomically}. */
export function writeFileAtomicallySync(
  file: string,
  content: string | Uint8Array,
  { mode = 0o644, folderMode, isSynced = false }: AtomicFileOptions = {},
): void {
  const temporary = temporaryName(file);
  const write = (): void => {
    writeFileSync(temporary, content, { mode, flag: "wx", flush: isSynced });
  };
  try {
    try {
      write();
    } catch (error) {
      if (!hasCode(error, "ENOENT")) throw error;
      mkdirSync(dirname(file), foldersWith(folderMode));
      write();
    }
    renameSync(temporary, file);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
}

const foldersWith = (mode: number | undefined) =>
  mode === undefined ? ({ recursive: true } as const) : ({ recursive: true, mode } as const);

/** Returns the name of the temporary file. Files with this suffix are incomplete. */
const temporaryName = (file: string): string => `${file}.${randomUUID()}.tmp`;

function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // The original error is more useful.
  }
}

// Not "node:fs/promises", which takes several milliseconds to load: this loads it on first use.

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

/**
 * Checks whether a file or a folder belongs to somebody who is neither this user nor the administrator. As git does, it
 * trusts the user who has called sudo.
 */
export function isForeign(path: string): boolean {
  const user = process.getuid?.();
  if (user === undefined) return false;
  const trusted = [0, user, ...(user === 0 ? [Number(process.env["SUDO_UID"] ?? 0)] : [])];
  return !trusted.includes(statSync(path).uid);
}

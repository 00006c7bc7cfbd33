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

/** How a file is written. Permissions are subject to the umask. */
interface AtomicFileOptions {
  /** The permissions of the file. @default 0o644 */
  readonly mode?: number;
  /** The permissions of folders that are created. @default 0o777 */
  readonly folderMode?: number;
  /** Flushes the content to disk before the file appears, so that it survives a power failure. @default false */
  readonly isSynced?: boolean;
}

/**
 * Writes a file atomically: readers see all of it or nothing, even after a crash. Creates missing folders. A failure
 * leaves no temporary file behind.
 */
export async function writeFileAtomically(
  file: string,
  content: string | Uint8Array,
  { mode = 0o644, folderMode = 0o777, isSynced = false }: AtomicFileOptions = {},
): Promise<void> {
  const temporary = temporaryName(file);
  const write = (): Promise<void> =>
    files.writeFile(temporary, content, { mode, flag: "wx", flush: isSynced });
  try {
    await write().catch(async (error: unknown) => {
      if (!hasCode(error, "ENOENT")) throw error;
      await files.mkdir(dirname(file), { recursive: true, mode: folderMode });
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
  { mode = 0o644 }: Pick<AtomicFileOptions, "mode"> = {},
): void {
  const temporary = temporaryName(file);
  const write = (): void => writeFileSync(temporary, content, { mode, flag: "wx" });
  try {
    try {
      write();
    } catch (error) {
      if (!hasCode(error, "ENOENT")) throw error;
      mkdirSync(dirname(file), { recursive: true });
      write();
    }
    renameSync(temporary, file);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
}

/** Files with this suffix are incomplete. */
const temporaryName = (file: string): string => `${file}.${randomUUID()}.tmp`;

function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // The original error is more useful.
  }
}

/** A file cannot be used. The message is a clause such as `it is not a regular file`. */
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
  const flags = links === "followed" ? 0 : constants.O_NOFOLLOW;
  return (await bytesIn(path, maxBytes, "regular", flags))?.toString("utf8");
}

/**
 * Reads a file that must exist, with at most `maxBytes`.
 *
 * @param kind `any` also reads what is no regular file, such as a pipe
 * @throws FileProblem
 */
export async function readGivenFile(
  path: string,
  maxBytes: number,
  kind: "regular" | "any",
): Promise<Buffer> {
  const bytes = await bytesIn(path, maxBytes, kind);
  if (bytes === undefined) throw fileProblem("FILE", "it does not exist");
  return bytes;
}

/** Reads a file with at most `maxBytes`; undefined if it does not exist. @throws FileProblem */
export async function bytesIn(
  path: string,
  maxBytes: number,
  kind: "regular" | "any",
  flags = 0,
): Promise<Buffer | undefined> {
  let file: Awaited<ReturnType<typeof files.open>> | undefined;
  try {
    // Otherwise opening a pipe would block until another process writes to it.
    const open = kind === "regular" ? constants.O_NONBLOCK : 0;
    file = await files.open(path, constants.O_RDONLY | open | flags);
    if (kind === "regular" && !(await file.stat()).isFile()) {
      throw fileProblem("FILE", "it is not a regular file");
    }
    const chunks: Buffer[] = [];
    // One byte more than allowed shows that the file is too large, even if it grows meanwhile.
    for await (const chunk of file.createReadStream({ autoClose: false, end: maxBytes })) {
      if (Buffer.isBuffer(chunk)) chunks.push(chunk);
    }
    const bytes = Buffer.concat(chunks);
    if (bytes.byteLength <= maxBytes) return bytes;
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

/** Checks whether a file or folder belongs to neither this user, nor root, nor (as in git) the user who called sudo. */
export function isForeign(path: string): boolean {
  const user = process.getuid?.();
  if (user === undefined) return false;
  const trusted = [0, user, ...(user === 0 ? [Number(process.env["SUDO_UID"] ?? 0)] : [])];
  return !trusted.includes(statSync(path).uid);
}

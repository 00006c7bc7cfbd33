import { randomUUID } from "node:crypto";
// Not "node:fs/promises", which takes several milliseconds to load: this loads it on first use.
import { mkdirSync, promises as files, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { hasCode } from "./system-error";

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

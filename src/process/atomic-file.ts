import { randomUUID } from "node:crypto";
// Not "node:fs/promises", which costs every start several milliseconds: this loads it when it is used.
import { mkdirSync, promises as files, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { hasCode } from "./system-error";

export interface AtomicFileOptions {
  /** Who may do what with the file, within the user's mask. @default 0o644 */
  readonly mode?: number;
  /** The same for folders that are made for it. @default 0o777 */
  readonly folderMode?: number;
  /**
   * Whether the content is on the disk when the file appears, so that it survives a loss of power too.
   * @default false
   */
  readonly isSynced?: boolean;
}

/**
 * Writes a file in one step: readers, and who comes after a crash, see all of it or nothing. Folders
 * above it are made. When it fails, nothing is left of it.
 */
export async function writeFileAtomically(
  file: string,
  content: string | Uint8Array,
  { mode = 0o644, folderMode, isSynced = false }: AtomicFileOptions = {},
): Promise<void> {
  const fresh = nameBeside(file);
  const write = (): Promise<void> =>
    files.writeFile(fresh, content, { mode, flag: "wx", flush: isSynced });
  try {
    await write().catch(async (error: unknown) => {
      if (!hasCode(error, "ENOENT")) throw error;
      await files.mkdir(dirname(file), foldersWith(folderMode));
      await write();
    });
    await files.rename(fresh, file);
  } catch (error) {
    await files.rm(fresh, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** As {@link writeFileAtomically}, for who cannot wait. */
export function writeFileAtomicallySync(
  file: string,
  content: string | Uint8Array,
  { mode = 0o644, folderMode, isSynced = false }: AtomicFileOptions = {},
): void {
  const fresh = nameBeside(file);
  const write = (): void => {
    writeFileSync(fresh, content, { mode, flag: "wx", flush: isSynced });
  };
  try {
    try {
      write();
    } catch (error) {
      if (!hasCode(error, "ENOENT")) throw error;
      mkdirSync(dirname(file), foldersWith(folderMode));
      write();
    }
    renameSync(fresh, file);
  } catch (error) {
    removeQuietly(fresh);
    throw error;
  }
}

const foldersWith = (mode: number | undefined) =>
  mode === undefined ? ({ recursive: true } as const) : ({ recursive: true, mode } as const);

/** Files with this ending are not finished. */
const nameBeside = (file: string): string => `${file}.${randomUUID()}.tmp`;

function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // What went wrong before says more.
  }
}

import { messageOf } from "../../core/failure/failure";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandError } from "../invocation/failure";

/**
 * Calls `use` with an empty folder that only this user can enter. It is removed in all cases but a kill.
 *
 * @throws CommandError if there is no folder for temporary files
 */
export async function withTemporaryFolder<Result>(
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = temporaryFolder();
  // One listener for all: Node.js warns of many.
  if (folders.size === 0) process.once("exit", removeAll);
  folders.add(folder);
  try {
    return await use(folder);
  } finally {
    remove(folder);
    if (folders.size === 0) process.off("exit", removeAll);
  }
}

const folders = new Set<string>();

function remove(folder: string): void {
  folders.delete(folder);
  rmSync(folder, { recursive: true, force: true });
}

const removeAll = (): void => {
  folders.forEach(remove);
};

function temporaryFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), "trivet-"));
  } catch (cause) {
    const reason = messageOf(cause);
    throw new CommandError(
      `No temporary folder can be created in ${tmpdir()}: ${reason}.`,
      "Set TMPDIR to a folder that exists and is writable.",
      undefined,
      { cause },
    );
  }
}

/**
 * Calls `use` with a file that only this user can read. It is removed in all cases but a kill.
 *
 * @throws CommandError if there is no folder for temporary files
 */
export function withTemporaryFile<Result>(
  name: string,
  content: string,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  return withTemporaryFolder((folder) => {
    const path = join(folder, name);
    writeFileSync(path, content, { mode: 0o600 });
    return use(path);
  });
}

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandError } from "../invocation/command-error";

/**
 * Calls `use` with an empty folder that only this user can enter. It is removed in all cases but a kill.
 *
 * @throws CommandError if there is no folder for temporary files
 */
export async function withTemporaryFolder<Result>(
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = temporaryFolder();
  const remove = () => {
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", remove);
  try {
    return await use(folder);
  } finally {
    process.off("exit", remove);
    remove();
  }
}

function temporaryFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), "trivet-"));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
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

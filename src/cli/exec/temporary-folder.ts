import { mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { messageOf } from "../../core/failure/failure";
import { CommandError } from "../invocation/failure";

/**
 * Calls `use` with an empty folder that only this user can enter. It is removed unless this process is killed.
 *
 * @throws CommandError if the folder cannot be created
 */
export async function withTemporaryFolder<Result>(
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = temporaryFolder();
  // One listener for all folders: Node.js warns about many listeners.
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
    throw new CommandError(
      `No temporary folder can be created in ${tmpdir()}: ${messageOf(cause)}.`,
      "Set TMPDIR to a folder that exists and is writable.",
      undefined,
      { cause },
    );
  }
}

/**
 * Calls `use` with a file that only this user can read. It is removed unless this process is killed.
 *
 * @throws CommandError if it cannot be created
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

const writableByOthers = 0o022;
/** The sticky bit: in such a folder, users cannot rename or remove the files of others. */
const sticky = 0o1000;

/**
 * Says why another user could replace a temporary folder, such as one with sockets: whoever can write to a folder above it
 * can replace it, although only this user can enter it. Returns undefined if nobody else can.
 */
export function sharedFolderProblem(): string | undefined {
  for (let path = realpathSync(tmpdir()); ; path = dirname(path)) {
    const { mode, uid } = statSync(path);
    if (uid !== 0 && uid !== process.getuid?.()) return `${path} belongs to another user`;
    if ((mode & writableByOthers) !== 0 && (mode & sticky) === 0) {
      return `${path} is writable for other users and has no sticky bit`;
    }
    if (path === dirname(path)) return undefined;
  }
}

import { realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { CommandError } from "../invocation/failure";

const writableByOthers = 0o022;
/** The sticky bit: users of such a folder cannot rename or remove the files of others. */
const sticky = 0o1000;

/**
 * Refuses a folder in which another user could replace what this process creates.
 *
 * Only the user can enter the folder for the sockets, but anyone who can write to a folder above it can
 * replace it.
 *
 * @throws CommandError if the folder or one above it belongs to another user, or if others can write to it
 */
export function refuseSharedFolder(folder: string): void {
  for (let path = realpathSync(folder); ; path = dirname(path)) {
    const problem = problemOf(path);
    if (problem !== undefined) {
      throw new CommandError(
        `--warm needs a folder for sockets that no other user can replace, but ${path} ${problem}.`,
        "Set TMPDIR to a folder of your own, or run without --warm.",
      );
    }
    if (path === dirname(path)) return;
  }
}

function problemOf(path: string): string | undefined {
  const { mode, uid } = statSync(path);
  if (uid !== 0 && uid !== process.getuid?.()) return "belongs to another user";
  const isShared = (mode & writableByOthers) !== 0 && (mode & sticky) === 0;
  return isShared ? "is writable for other users and has no sticky bit" : undefined;
}

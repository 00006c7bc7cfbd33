import { lstat, readdir, rmdir, unlink } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { isProcessAlive } from "../../../process/process-facts";

/** The beginning of the names of folders for sockets. `mkdtemp` adds six characters. */
export const folderPrefix = "tfp-";
const ownName = new RegExp(`^${folderPrefix}[A-Za-z0-9]{6}$`);

/** Long enough for a process to listen after it has created its folder. */
const minAgeMs = 3_600_000;
/** Limits the time that a start takes; the next one removes more. */
const maxRemoved = 32;

/** Returns the name of a socket, which is the PID of the listening process. */
export const socketName = (pid: number = process.pid): string => pid.toString(36);

/**
 * Removes folders with sockets that killed providers of this user have left. Keeps anything with another
 * name, links, new folders, and sockets whose process is running or on which a process listens, such as one
 * in a container.
 */
export async function removeLeftFolders(within: string, now: number = Date.now()): Promise<void> {
  const names = await readdir(within).catch(() => []);
  let removed = 0;
  for (const name of names) {
    if (!ownName.test(name)) continue;
    // Another provider may be removing it.
    if (await removeIfLeft(join(within, name), now).catch(() => false)) removed++;
    if (removed === maxRemoved) return;
  }
}

async function removeIfLeft(folder: string, now: number): Promise<boolean> {
  const stats = await lstat(folder);
  if (!stats.isDirectory() || stats.uid !== process.getuid?.()) return false;
  if (now - stats.mtimeMs < minAgeMs) return false;
  const [name, ...others] = await readdir(folder);
  if (others.length > 0) return false;
  if (name !== undefined) {
    const socket = join(folder, name);
    const isAbandoned =
      (await lstat(socket)).isSocket() &&
      !isProcessAlive({ pid: Number.parseInt(name, 36), start: undefined }) &&
      !(await listens(socket));
    if (!isAbandoned) return false;
    await unlink(socket);
  }
  await rmdir(folder);
  return true;
}

function listens(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

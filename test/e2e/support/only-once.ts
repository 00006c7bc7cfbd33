import { readlink, rm, symlink } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { isProcessAlive } from "../../../src/core/process/process-facts";

/**
 * Does work that all test files share, unless it is done; only one of them does so at a time.
 *
 * @param lock the path of what says so
 */
export async function onlyOnce(
  lock: string,
  isDone: () => Promise<boolean>,
  work: () => Promise<void>,
): Promise<void> {
  if (await isDone()) return;
  while (!(await take(lock))) await wait(100);
  try {
    if (!(await isDone())) await work();
  } finally {
    await rm(lock, { force: true });
  }
}

/**
 * The lock is a link to the PID of its owner. It is created atomically, and taken over from dead
 * processes.
 */
async function take(lock: string): Promise<boolean> {
  try {
    await symlink(String(process.pid), lock);
    return true;
  } catch {
    const holder = await readlink(lock).catch(() => undefined);
    if (holder !== undefined && !isProcessAlive({ pid: Number(holder), start: undefined }))
      await rm(lock, { force: true });
    return false;
  }
}

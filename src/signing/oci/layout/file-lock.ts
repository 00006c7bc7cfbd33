import { randomUUID } from "node:crypto";
import { promises as files, type Stats } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { hasCode, ifAbsent } from "../../../process/system-error";

/** What is done under the lock takes milliseconds. An older lock is left over from a process that was killed. */
const staleMs = 30_000;
const waitMs = 20;

/**
 * Runs work while no other process does, by a file that exists meanwhile. Ends the wait when the lock is stale.
 *
 * @param check throws once the call has ended
 * @returns undefined if there is something else than a file, which nobody has left as a lock
 */
export async function withFileLock<T>(
  path: string,
  check: () => void,
  work: () => Promise<T>,
): Promise<T | undefined> {
  let seen = { modifiedMs: Number.NaN, since: 0 };
  while (!(await created(path))) {
    // Not what a link leads to: that may be missing, or anywhere.
    const found = await files.lstat(path).catch(ifAbsent);
    if (found?.isFile() === false) return undefined;
    const modifiedMs = found?.mtimeMs ?? Number.NaN;
    if (modifiedMs !== seen.modifiedMs) seen = { modifiedMs, since: Date.now() };
    // The clock of a file server can be ahead, so how long it was seen counts, too.
    const isStale = Date.now() - Math.min(modifiedMs, seen.since) > staleMs;
    if (isStale && found !== undefined) await removeStale(path, found);
    check();
    await sleep(waitMs * (0.5 + Math.random()));
  }
  try {
    return await work();
  } finally {
    await files.rm(path, { force: true });
  }
}

/** Removes a lock that was left over, unless another process has replaced it in the meantime. */
async function removeStale(path: string, { ino, mtimeMs }: Stats): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  const moved = await files.rename(path, aside).then(() => files.lstat(aside), ifAbsent);
  if (moved === undefined) return;
  const isOther = moved.ino !== ino || moved.mtimeMs !== mtimeMs;
  // A link, unlike a new name, replaces nothing.
  if (isOther) await files.link(aside, path).catch(() => undefined);
  await files.rm(aside, { force: true });
}

async function created(path: string): Promise<boolean> {
  try {
    await (await files.open(path, "wx")).close();
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

import { createHash, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomicallySync } from "../../../core/process/files";
import { isProcessAlive, processMark, type ProcessMark } from "../../../core/process/process-facts";
import { hasCode, ifAbsent } from "../../../core/process/system-error";
import { localPlatformError, type LocalPlatformError } from "../terraform/local-platform-error";

/**
 * Runs `build` while no other process builds in this folder. `build` records the processes that it
 * starts, because they may outlive a killed parent. A lock is taken over once all its processes have
 * ended.
 *
 * @throws LocalPlatformError with code `BUSY` if another build is running
 */
export async function withBuildLock<Result>(
  folder: string,
  build: (note: (pid: number) => void) => Promise<Result>,
): Promise<Result> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, "lock");
  await take(file, folder);
  try {
    return await build((pid) => {
      const holders = lineOf(processMark()) + lineOf(processMark(pid));
      writeFileAtomicallySync(file, holders, { mode: 0o600 });
    });
  } finally {
    await rm(file, { force: true });
  }
}

/** Creates a lock file for this process, or replaces one whose processes have all ended. */
async function take(file: string, folder: string): Promise<void> {
  const own = `${file}.${randomUUID()}.tmp`;
  await writeFile(own, lineOf(processMark()), { flag: "wx", mode: 0o600 });
  try {
    while (!(await appears(file, own))) {
      const held = await contentOf(file);
      if (held === undefined) continue;
      const running = held.split("\n").map(markOf).find(isProcessAlive);
      if (running !== undefined) throw busy(folder, running.pid);
      if (await replaces(file, own, held, folder)) return;
    }
  } finally {
    await rm(own, { force: true });
  }
}

/** Creates the lock file with its content. Returns false if it already exists. */
async function appears(file: string, own: string): Promise<boolean> {
  try {
    await link(own, file).catch((failure: unknown) => {
      // Some file systems have no hard links. There, the file is empty for a moment.
      if (!isUnsupported(failure)) throw failure;
      return copyFile(own, file, constants.COPYFILE_EXCL);
    });
    return true;
  } catch (failure) {
    if (hasCode(failure, "EEXIST")) return false;
    throw failure;
  }
}

/**
 * Replaces the lock file if it still has the content of ended processes. Returns true if it did. Only the
 * process that has the lock for this content may replace it. If a process ends while it holds that lock, the
 * lock stays behind and is replaced in the same way.
 */
async function replaces(file: string, own: string, held: string, folder: string): Promise<boolean> {
  const takeover = `${file}.${createHash("sha256").update(held).digest("hex").slice(0, 16)}`;
  await take(takeover, folder);
  try {
    if ((await contentOf(file)) !== held) return false;
    await rename(own, file);
    return true;
  } finally {
    await rm(takeover, { force: true });
  }
}

/** Returns the content of the lock file; undefined if it was released in the meantime. */
const contentOf = async (file: string): Promise<string | undefined> =>
  await readFile(file, "utf8").catch(ifAbsent);

const isUnsupported = (failure: unknown): boolean =>
  ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].some((code) => hasCode(failure, code));

const lineOf = ({ pid, start }: ProcessMark): string =>
  start === undefined ? `${pid}\n` : `${pid} ${start}\n`;

function markOf(line: string): ProcessMark {
  const [, pid, start] = /^(\d+)(?: (.+))?$/.exec(line) ?? [];
  return { pid: Number(pid), start };
}

function busy(folder: string, holder: number): LocalPlatformError {
  return localPlatformError(
    "BUSY",
    `Another build is already running with the state in ${folder} (process ${holder}).`,
    { advice: "Wait until it has finished." },
  );
}

import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomicallySync } from "../../../process/atomic-file";
import { isProcessAlive, processMark, type ProcessMark } from "../../../process/process-mark";
import { hasCode } from "../../../process/system-error";
import { LocalPlatformError } from "../terraform/local-platform-error";

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
  if (!(await taken(file))) {
    const holders = (await readFile(file, "utf8").catch(() => "")).split("\n").map(markOf);
    const running = holders.find(isProcessAlive);
    if (running !== undefined) throw busy(folder, running.pid);
    await rm(file, { force: true });
    if (!(await taken(file))) throw busy(folder);
  }
  try {
    return await build((pid) => {
      const holders = lineOf(processMark()) + lineOf(processMark(pid));
      writeFileAtomicallySync(file, holders, { mode: 0o600 });
    });
  } finally {
    await rm(file, { force: true });
  }
}

/** Whether this process created the lock file; only one process can. */
async function taken(file: string): Promise<boolean> {
  try {
    await writeFile(file, lineOf(processMark()), { flag: "wx", mode: 0o600 });
    return true;
  } catch (failure) {
    if (hasCode(failure, "EEXIST")) return false;
    throw failure;
  }
}

const lineOf = ({ pid, start }: ProcessMark): string =>
  start === undefined ? `${pid}\n` : `${pid} ${start}\n`;

function markOf(line: string): ProcessMark {
  const [, pid, start] = /^(\d+)(?: (.+))?$/.exec(line) ?? [];
  return { pid: Number(pid), start };
}

function busy(folder: string, holder?: number): LocalPlatformError {
  const who = holder === undefined ? "" : ` (process ${holder})`;
  return new LocalPlatformError(
    "BUSY",
    `Another build is already running with the state in ${folder}${who}.`,
    "Wait until it has finished.",
  );
}

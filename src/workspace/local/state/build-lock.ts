import { writeFileSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hasCode } from "../terraform/has-code";
import { LocalPlatformError } from "../terraform/local-platform-error";

/**
 * Runs `build` while no other process builds in this folder. `build` notes the processes that it
 * starts: they may go on when ours was killed. A lock whose processes have all ended is taken over.
 */
export async function withBuildLock<Result>(
  folder: string,
  build: (note: (pid: number) => void) => Promise<Result>,
): Promise<Result> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, "lock");
  if (!(await taken(file))) {
    const holders = (await readFile(file, "utf8").catch(() => "")).split("\n").map(Number);
    const running = holders.find(isRunning);
    if (running !== undefined) throw busy(folder, running);
    await rm(file, { force: true });
    if (!(await taken(file))) throw busy(folder);
  }
  try {
    return await build((pid) => {
      writeFileSync(file, `${process.pid}\n${pid}\n`, { mode: 0o600 });
    });
  } finally {
    await rm(file, { force: true });
  }
}

/** Whether the file could be made, which only one can do. */
async function taken(file: string): Promise<boolean> {
  try {
    await writeFile(file, `${process.pid}\n`, { flag: "wx", mode: 0o600 });
    return true;
  } catch (failure) {
    if (hasCode(failure, "EEXIST")) return false;
    throw failure;
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (failure) {
    // It runs, and belongs to somebody else.
    return hasCode(failure, "EPERM");
  }
}

function busy(folder: string, holder?: number): LocalPlatformError {
  const who = holder === undefined ? "" : ` (process ${holder})`;
  return new LocalPlatformError(
    "BUSY",
    `Another build is under way with the state in ${folder}${who}.`,
    "Wait until it has ended.",
  );
}

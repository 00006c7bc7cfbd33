import { spawnSync } from "node:child_process";
import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";

/** Far more than any machine needs: only a provider that never ends is waited for so long. */
const endlessMs = 60_000;

/**
 * Waits for a folder's providers to end, which they do right after the tool, but not before it.
 *
 * @returns those that did not; they are killed
 */
export async function outliving(folder: string): Promise<readonly number[]> {
  const begun = performance.now();
  let left = providerProcesses(folder);
  while (left.length > 0 && performance.now() - begun < endlessMs) {
    await wait(50);
    left = providerProcesses(folder);
  }
  for (const pid of left) kill(pid);
  return left;
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (failure) {
    // It has ended meanwhile.
    if (!(failure instanceof Error && "code" in failure && failure.code === "ESRCH")) throw failure;
  }
}

/**
 * The ids of the providers whose environment names a folder: Terraform starts them by a relative
 * path, so their command lines do not tell whose they are.
 */
export function providerProcesses(folder: string): readonly number[] {
  const { stdout } = spawnSync("ps", ["axeww", "-o", "pid=,command="], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout
    .split("\n")
    .filter(
      (line) =>
        line.includes(folder) &&
        /provider\.cjs|terraform-provider-(ids|workspace|signing)/.test(line),
    )
    .map((line) => Number.parseInt(line, 10));
}

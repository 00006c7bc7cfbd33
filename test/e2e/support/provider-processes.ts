import { spawnSync } from "node:child_process";
import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { providerNames } from "../../provider-names";

/** Far longer than necessary on any machine. Only a provider that never ends takes so long. */
const endlessMs = 60_000;

/**
 * Waits until a folder's providers have ended. They end shortly after the tool.
 *
 * @returns the PIDs of those that did not end; they are killed
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
    // It has ended in the meantime.
    if (!(failure instanceof Error && "code" in failure && failure.code === "ESRCH")) throw failure;
  }
}

const isProvider = new RegExp(`provider\\.cjs|terraform-provider-(${providerNames.join("|")})`);

/**
 * Returns the PIDs of the providers whose environment contains a folder. Terraform starts them by a
 * relative path, so their command lines do not identify them.
 */
export function providerProcesses(folder: string): readonly number[] {
  const { stdout } = spawnSync("ps", ["axeww", "-o", "pid=,command="], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout
    .split("\n")
    .filter((line) => line.includes(folder) && isProvider.test(line))
    .map((line) => Number.parseInt(line, 10));
}

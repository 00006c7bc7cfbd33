import { once } from "node:events";
import { constants, setPriority } from "node:os";
import { killGroup } from "../exec/interruption";
import { withTemporaryFolder } from "../exec/temporary-folder";
import type { Project } from "./project";
import { startApp } from "./synthesize";

/** More output of an app is cut. */
const maxLength = 64 * 1024;

/**
 * Runs the app with its own compiler, in the background and into a folder of its own. It finds what a quick compilation
 * does not, such as errors of types.
 *
 * @returns what the app printed if it failed; undefined if it did not, or was aborted
 */
export async function confirmRun(
  project: Project,
  env: NodeJS.ProcessEnv,
  aborted: AbortSignal,
): Promise<string | undefined> {
  return await withTemporaryFolder(async (folder) => {
    const child = startApp(project, env, { CDKTF_OUTDIR: folder }, "pipe");
    const kill = (): void => {
      killGroup(child);
    };
    aborted.addEventListener("abort", kill);
    if (aborted.aborted) kill();
    else if (child.pid !== undefined) lowerPriority(child.pid);
    let output = "";
    const collect = (data: Buffer): void => {
      output = `${output}${data.toString()}`.slice(0, maxLength);
    };
    child.stdout?.on("data", collect);
    child.stderr?.on("data", collect);
    const [code] = (await once(child, "close")) as unknown[];
    aborted.removeEventListener("abort", kill);
    return aborted.aborted || code === 0 ? undefined : output;
  });
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended, or the system does not allow it.
  }
}

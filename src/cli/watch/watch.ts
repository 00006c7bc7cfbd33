import { runChosenStacks, type StackRequest } from "../deploy/command";
import { refuseUnapproved } from "../deploy/approval";
import { Interruption } from "../exec/interruption";
import { failureOf, printFailure, tell } from "../invocation/failure";
import { readProject } from "../synthesis/project";
import type { Terraform } from "../terraform/terraform";
import { withTerraform } from "../terraform/with-terraform";
import { SourceWatcher } from "./source-watcher";

/**
 * Runs `trivet watch`: deploys, and again after each change of the sources, until it is interrupted.
 *
 * @throws CommandError if it cannot begin; later failures are printed
 */
export async function watch(request: StackRequest): Promise<void> {
  const { options } = request;
  if (options.autoApprove !== true) refuseUnapproved(request.verb);
  const { folder, output } = await readProject(process.cwd());
  const watcher = new SourceWatcher(folder, output);
  const interruption = new Interruption();
  try {
    await withTerraform(options.dir, interruption, async (terraform) => {
      await watcher.begin();
      while (interruption.exitCode === undefined) {
        await deploy(folder, request, terraform, interruption);
        const written = await watcher.endRun();
        if (written.length > 0) tell(`not watching what the app writes: ${written.join(", ")}`);
        if (interruption.aborted.aborted) break;
        tell("waiting for changes; Ctrl-C ends it");
        const changed = await watcher.next(interruption.aborted);
        if (changed.length > 0) tell(`changed: ${shortened(changed)}`);
      }
    });
    process.exitCode = interruption.exitCode ?? 0;
  } finally {
    interruption.release();
  }
}

/** Deploys, and prints a failure instead of throwing it: the next change may fix it. */
async function deploy(
  folder: string,
  request: StackRequest,
  terraform: Terraform,
  interruption: Interruption,
): Promise<void> {
  try {
    const project = await readProject(folder);
    await runChosenStacks(project, request, terraform, interruption);
  } catch (failure) {
    printFailure(failureOf(failure), false);
  }
}

const shownFiles = 3;

function shortened(paths: readonly string[]): string {
  const more = paths.length - shownFiles;
  return `${paths.slice(0, shownFiles).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

import { runChosenStacks } from "../deploy/command";
import type { StackRequest } from "../deploy/stack-request";
import { refuseUnapproved } from "../deploy/approval";
import { Interruption } from "../exec/interruption";
import { readProject } from "../synthesis/project";
import { withTerraform } from "../terraform/with-terraform";
import { repeatOnChange } from "./repeat-on-change";

/**
 * Runs `trivet watch`: deploys, and again after each change of the sources, until it is interrupted.
 *
 * @throws CommandError if it cannot begin; later failures are printed
 */
export async function watch(request: StackRequest): Promise<void> {
  const { options } = request;
  if (options.autoApprove !== true) refuseUnapproved(request.verb);
  const project = await readProject(process.cwd());
  const interruption = new Interruption();
  try {
    await withTerraform(options.dir, interruption, (terraform) =>
      repeatOnChange(project, interruption, async () => {
        const current = await readProject(project.folder);
        await runChosenStacks(current, request, terraform, interruption);
      }),
    );
    process.exitCode = interruption.exitCode ?? 0;
  } finally {
    interruption.release();
  }
}

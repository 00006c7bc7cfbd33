import { Command } from "commander";
import { ExitCode } from "../invocation/exit-code";
import { printError, tell } from "../invocation/failure";
import type { Project } from "../synthesis/project";
import type { Stack } from "../synthesis/manifest";

/** `trivet synth`: writes the configuration of all stacks, and prints what their constructs remark. */
export function synthCommand(): Command {
  return new Command("synth")
    .summary("write the configuration of all stacks, with their errors and warnings")
    .description(
      "Runs the app of a cdktf or cdktn project, which writes the Terraform configuration of its stacks, and prints " +
        "their errors and warnings, with the lines of your code.",
    )
    .addHelpText(
      "after",
      `
Plans nothing: \`trivet check\` also tells what a deployment would change.

Examples:
  trivet synth`,
    )
    .action(synth);
}

async function synth(): Promise<void> {
  const { commandEnvironment } = await import("../invocation/command-environment.js");
  const { Interruption } = await import("../exec/interruption.js");
  const { tellOfCodes } = await import("../explain/hint.js");
  const { annotationText } = await import("../synthesis/manifest.js");
  const { readProject } = await import("../synthesis/project.js");
  const { synthesize } = await import("../synthesis/synthesize.js");
  const project = await readProject(process.cwd());
  const interruption = new Interruption();
  try {
    const stacks = await synthesize(project, commandEnvironment().env, interruption);
    const remarks = stacks.flatMap(({ annotations }) => annotations);
    for (const remark of remarks) printError(annotationText(remark));
    tellOfCodes(remarks);
    if (interruption.exitCode === undefined) tell(await writtenText(project, stacks));
    const hasErrors = remarks.some(({ level }) => level === "error");
    process.exitCode = interruption.exitCode ?? (hasErrors ? ExitCode.failed : ExitCode.ok);
  } finally {
    interruption.release();
  }
}

/** What was written, on standard error as everything that an app prints. */
async function writtenText({ output }: Project, stacks: readonly Stack[]): Promise<string> {
  const { readStackContent } = await import("../synthesis/stack-content.js");
  const { configurationOf } = await import("../synthesis/stack-configuration.js");
  const described = stacks.map(async (stack) => {
    const { addresses } = configurationOf(await readStackContent(stack.folder), stack);
    const { length } = addresses.filter((address) => !address.startsWith("data."));
    return `${stack.name} (${length} ${length === 1 ? "resource" : "resources"})`;
  });
  return `wrote to ${output}/stacks: ${(await Promise.all(described)).join(", ") || "no stack"}`;
}

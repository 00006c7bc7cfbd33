import { Command } from "commander";
import { ExitCode } from "../invocation/exit-code";
import { printError } from "../invocation/failure";

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
    const hasErrors = remarks.some(({ level }) => level === "error");
    process.exitCode = interruption.exitCode ?? (hasErrors ? ExitCode.failed : ExitCode.ok);
  } finally {
    interruption.release();
  }
}

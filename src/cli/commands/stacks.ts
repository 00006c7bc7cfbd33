import { Command, InvalidArgumentError, Option } from "commander";
import type { StackOptions, Verb } from "../deploy/stack-result";
import { ExitCode, printError, note } from "../invocation/failure";
import type { Stack } from "../synthesis/manifest";
import type { Project } from "../synthesis/project";
import { repeated } from "./options";

/** `trivet plan`: shows what a deployment would change. */
export function planCommand(): Command {
  return withStackOptions(new Command("plan"))
    .summary("show what a deployment of stacks would change")
    .description(
      "Synthesizes the stacks of a cdktf or cdktn project and shows what Terraform would change. " +
        "Changes no resources.",
    )
    .option("--json", "print the changes as JSON")
    .addOption(
      new Option("--markdown", "print them for a comment in a pull request").conflicts("json"),
    )
    .option("--out <folder>", "save the plans for `trivet deploy --plan`")
    .addHelpText(
      "after",
      `
Values that a provider marks as sensitive are never shown. Saved plans contain
them.

Examples:
  trivet plan                           the only stack
  trivet plan '*' --markdown            all stacks, in at most 60 kB
  trivet plan '*' --out plans           for \`trivet deploy --plan plans\`
  trivet plan network 'app-*'
  trivet plan app -- -refresh-only      with an option of \`terraform plan\``,
    )
    .action(runs("plan"));
}

/** `trivet deploy`: creates and updates the resources of stacks. */
export function deployCommand(): Command {
  return withChangeOptions(new Command("deploy"))
    .summary("deploy stacks, as `cdktf deploy` does, in less time")
    .description(
      "Synthesizes the stacks of a cdktf or cdktn project, shows what changes, asks, and changes " +
        "exactly that. Each stack comes after its dependencies.",
    )
    .option("--plan <folder>", "apply saved plans (default: plans that are made now)")
    .option("--tree <hash>", "refuse plans of other code: `git rev-parse 'HEAD^{tree}'`")
    .option("--json", "print the result as JSON, and what happens on standard error")
    .addHelpText(
      "after",
      `
Works in the same folders and on the same states as \`cdktf deploy\`, so that
both can take turns. Our providers start once for the whole command.

Ctrl-C lets Terraform finish what it does and save its state. A second one ends
it immediately.

Examples:
  trivet deploy                         the only stack
  trivet deploy network 'app-*' --auto-approve
  trivet deploy --plan plans            what \`trivet plan --out plans\` saved
  trivet deploy app --var size=3 -- -replace=ids_endpoint.edge`,
    )
    .action(runs("deploy"));
}

/** `trivet destroy`: destroys what stacks have created. */
export function destroyCommand(): Command {
  return withChangeOptions(new Command("destroy"))
    .summary("destroy everything that stacks have created")
    .description(
      "Shows what stacks of a cdktf or cdktn project have created, asks, and destroys it. Each " +
        "stack comes before its dependencies.",
    )
    .option("--json", "print the result as JSON, and what happens on standard error")
    .addHelpText(
      "after",
      `
Examples:
  trivet destroy                        the only stack
  trivet destroy '*' --auto-approve     all stacks`,
    )
    .action(runs("destroy"));
}

/** `trivet watch`: deploys stacks after each change of the sources. */
export function watchCommand(): Command {
  return withChangeOptions(new Command("watch"))
    .summary("deploy stacks, and again after each change of the sources")
    .description(
      "Deploys stacks of a cdktf or cdktn project as `trivet deploy` does, and again whenever a " +
        "file of the project changes. Without --auto-approve, it asks each time.",
    )
    .addHelpText(
      "after",
      `
Does not watch the synthesized stacks, node_modules, states, compiled
TypeScript, or anything whose name begins with a dot. A failure does not end
it, but Ctrl-C does.

Examples:
  trivet watch --auto-approve           the only stack
  trivet watch network app --auto-approve`,
    )
    .action(async (operands: readonly string[], options: StackOptions) => {
      const { watch } = await import("../deploy/command.js");
      await watch({ verb: "deploy", ...splitOperands(operands), options });
    });
}

const runs = (verb: Verb) => async (operands: readonly string[], options: StackOptions) => {
  const { runStackCommand } = await import("../deploy/command.js");
  await runStackCommand({ verb, ...splitOperands(operands), options });
};

/** Adds the argument and the options that all commands for stacks have. */
function withStackOptions(command: Command): Command {
  return command
    .argument("[stacks...]", "names, or patterns with * and ?; the only stack by default")
    .usage("[options] [stacks...] [-- <terraform options...>]")
    .option("--dir <folder>", "the mirror to use (default: one that only trivet uses)")
    .option("--var <name=value>", "a variable of the stacks; can be repeated", repeated)
    .option("--var-file <file>", "a file with variables; can be repeated", repeated)
    .option("--target <address>", "only this resource; can be repeated", repeated)
    .option("--refuse <changes>", "changes that are not allowed; can be repeated", repeated)
    .option("--no-refresh", "do not read what exists: compare with the state only")
    .option(
      "--parallelism <number>",
      "simultaneous operations in a stack (Terraform's default: 10)",
      positive,
    )
    .option("--stack-parallelism <number>", "stacks that run at the same time", positive, 4);
}

function withChangeOptions(command: Command): Command {
  return withStackOptions(command)
    .option("--auto-approve", "do not ask before something is changed")
    .option(
      "--ignore-missing-stack-dependencies",
      "run stacks without the others that they depend on",
    );
}

/** Separates the names of stacks from the words after `--`. commander returns both as one list. */
function splitOperands(operands: readonly string[]): {
  readonly stacks: readonly string[];
  readonly rest: readonly string[];
} {
  const at = process.argv.indexOf("--");
  const rest = at === -1 ? [] : process.argv.slice(at + 1);
  return { stacks: operands.slice(0, operands.length - rest.length), rest };
}

function positive(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError("It must be a positive integer.");
  return Number(text);
}

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
Plans nothing: \`trivet check\` also shows what a deployment would change.

Examples:
  trivet synth`,
    )
    .action(synth);
}

async function synth(): Promise<void> {
  const { commandEnvironment } = await import("../invocation/command-environment.js");
  const { Interruption } = await import("../exec/interruption.js");
  const { noteCodes } = await import("../explain/code-pages.js");
  const { annotationText } = await import("../synthesis/manifest.js");
  const { readProject } = await import("../synthesis/project.js");
  const { synthesize } = await import("../synthesis/synthesize.js");
  const project = await readProject(process.cwd());
  const interruption = new Interruption();
  try {
    const stacks = await synthesize(project, commandEnvironment().env, interruption);
    const remarks = stacks.flatMap(({ annotations }) => annotations);
    for (const remark of remarks) printError(annotationText(remark));
    noteCodes(remarks);
    if (interruption.exitCode === undefined) note(await writtenText(project, stacks));
    const hasErrors = remarks.some(({ level }) => level === "error");
    process.exitCode = interruption.exitCode ?? (hasErrors ? ExitCode.failed : ExitCode.ok);
  } finally {
    interruption.release();
  }
}

/** The note about what was written. */
async function writtenText({ output }: Project, stacks: readonly Stack[]): Promise<string> {
  const { configurationOf, readStackContent } = await import("../synthesis/stack-content.js");
  const described = stacks.map(async (stack) => {
    const { addresses } = configurationOf(await readStackContent(stack.folder), stack);
    const { length } = addresses.filter((address) => !address.startsWith("data."));
    return `${stack.name} (${length} ${length === 1 ? "resource" : "resources"})`;
  });
  return `wrote to ${output}/stacks: ${(await Promise.all(described)).join(", ") || "no stack"}`;
}

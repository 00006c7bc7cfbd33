import { Command, InvalidArgumentError } from "commander";
import type { LocalWorkspaceVerb } from "../../local/workspace/command";
import type { LocalPlatformSettings } from "../../local/workspace/local-platform";
import { ExitCode, printError } from "../invocation/failure";
import { untilStopped } from "../invocation/run-program";
import {
  openCommand,
  type TemplateOptions,
  withPlatform,
  withTemplate,
} from "./local-workspace-open";
import { type Pairs, pair, repeated } from "./options";

interface Options extends TemplateOptions {
  readonly json?: true;
  readonly quiet?: true;
  readonly verbose?: true;
  readonly name?: string;
  readonly owner?: string;
  readonly parameter?: Pairs;
  readonly preset?: string;
  readonly externalAuth?: Pairs;
  readonly secretEnv?: Pairs;
  readonly secretFile?: Pairs;
  readonly taskPrompt?: string;
  readonly group?: readonly string[];
}

/** `trivet local workspace`: builds workspaces on this machine. */
export function localWorkspaceCommand(): Command {
  return new Command("workspace")
    .summary("the platform that builds workspaces")
    .description(
      "Builds workspaces of a template on this machine as the platform does, with the same steps, " +
        "variables and checks. A template is the folder of a synthesized stack, or any Terraform " +
        "configuration. Afterwards it prints what the platform would see.",
    )
    .addCommand(
      withGroups(
        withParameters(
          verb("preview", "show what the platform evaluates before it runs Terraform"),
        ),
      ),
    )
    .addCommand(verb("import", "plan a template without a workspace, for a start and a stop"))
    .addCommand(
      withOwner(
        withPreset(withInputs(verb("start", "start a workspace, and create it if necessary"))),
      ),
    )
    .addCommand(withInputs(verb("stop", "stop a workspace")))
    .addCommand(
      withPreset(withInputs(verb("prebuild", "build a workspace ahead of time, without an owner"))),
    )
    .addCommand(
      withOwner(withPreset(withInputs(verb("claim", "give a prebuilt workspace to an owner")))),
    )
    .addCommand(withName(verb("delete", "delete a workspace")))
    .addCommand(openCommand())
    .addHelpText(
      "after",
      `
The argument of each command is the template's folder.
\`trivet local workspace start --help\` shows the options.

Examples:
  trivet local workspace preview cdktf.out/stacks/dev
  trivet local workspace start cdktf.out/stacks/dev --parameter region=eu
  trivet local workspace stop cdktf.out/stacks/dev
  trivet local workspace open cdktf.out/stacks/dev`,
    );
}

function verb(name: LocalWorkspaceVerb, summary: string): Command {
  const command = new Command(name)
    .summary(summary)
    .description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`);
  return withTemplate(command)
    .option("--json", "print what the platform would see as JSON")
    .option("--quiet", "do not print Terraform's output")
    .option("--verbose", "also print the output of init and of each step of an import")
    .addHelpText("after", help(name))
    .action((folder: string, options: Options) => localWorkspace(name, folder, options));
}

function withParameters(command: Command): Command {
  return command.option(
    "--parameter <name=value>",
    "an input of the template; may be repeated",
    pair,
  );
}

function withGroups(command: Command): Command {
  return command
    .option("--owner <name>", "the user who would own the workspace (default: dev)")
    .option(
      "--group <name>",
      "a group of the owner other than Everyone; may be repeated",
      repeated,
    );
}

function withName(command: Command): Command {
  return command.option("--name <name>", "the workspace (default: dev)");
}

function withPreset(command: Command): Command {
  return command.option(
    "--preset <name>",
    "use the inputs of this preset, which replace those of --parameter",
  );
}

function withInputs(command: Command): Command {
  return withParameters(withName(command))
    .option(
      "--external-auth <id[=token]>",
      "a token of an external provider; may be repeated",
      pairFrom((id) => `EXTERNAL_AUTH_${id.replaceAll(/[^a-z\d]/gi, "_").toUpperCase()}`),
    )
    .option(
      "--secret-env <name[=value]>",
      "a secret by its environment variable; may be repeated",
      pairFrom((name) => name),
    )
    .option("--secret-file <path=value>", "a secret by its file; may be repeated", pair)
    .addHelpText(
      "after",
      `
To keep secrets off the command line, where others can read them, leave out the
value: \`--secret-env KEY\` reads the environment variable KEY, and
\`--external-auth git-hub\` reads EXTERNAL_AUTH_GIT_HUB.`,
    );
}

function withOwner(command: Command): Command {
  command.option("--owner <name>", "the owner of a new workspace (default: dev)");
  if (command.name() === "start") {
    command.option("--task-prompt <prompt>", "create a new workspace for a task with this prompt");
  }
  return command;
}

const examples: Readonly<Record<LocalWorkspaceVerb, readonly string[]>> = {
  preview: [
    "preview cdktf.out/stacks/dev --group admins",
    "preview ./template --product coder --json",
  ],
  import: ["import cdktf.out/stacks/dev", "import ./template --json --quiet"],
  start: [
    "start cdktf.out/stacks/dev --parameter region=eu",
    "start ./template --terraform tofu --state ./state",
  ],
  stop: ["stop cdktf.out/stacks/dev --name blue"],
  prebuild: ["prebuild cdktf.out/stacks/dev --preset Small"],
  claim: ["claim cdktf.out/stacks/dev --name blue --owner ada"],
  delete: ["delete cdktf.out/stacks/dev --name blue"],
};

const previewHelp = `Needs Terraform, but no provider of the template.
The exit code is 1 if the platform would refuse the template or a value of
--parameter. A required parameter that has no value yet does not count.`;

function help(name: LocalWorkspaceVerb): string {
  const inputs = "Parameters keep the values of the previous build.\n";
  const builds = `${name === "import" || name === "delete" ? "" : inputs}After Ctrl-C, Terraform stops gracefully and saves its state.
Terraform finds our providers, which are installed if they are missing.`;
  return `
${name === "preview" ? previewHelp : builds}

Examples:
${examples[name].map((example) => `  trivet local workspace ${example}`).join("\n")}`;
}

async function localWorkspace(
  name: LocalWorkspaceVerb,
  folder: string,
  options: Options,
): Promise<void> {
  const { runLocalWorkspace } = await import("../../local/workspace/command.js");
  const log = options.quiet === true ? undefined : printError;
  const run = async (
    platform: LocalPlatformSettings,
    variables: Pairs,
    signal: AbortSignal,
  ): Promise<void> => {
    const isAccepted = await runLocalWorkspace(name, {
      settings: { ...platform, log, verbose: options.verbose, signal },
      request: {
        workspace: options.name,
        owner: options.owner,
        parameters: options.parameter,
        preset: options.preset,
        externalAuth: options.externalAuth,
        secretEnv: options.secretEnv,
        secretFiles: options.secretFile,
        taskPrompt: options.taskPrompt,
        variables,
      },
      groups: options.group ?? [],
      json: options.json ?? false,
      stdout: process.stdout,
    });
    if (!isAccepted) process.exitCode = ExitCode.failed;
  };
  await untilStopped((signal) =>
    withPlatform(
      folder,
      options,
      (platform, variables) => run(platform, variables, signal),
      name !== "preview",
    ),
  );
}

/** Reads an omitted value from the environment variable of that name. */
function pairFrom(variableOf: (name: string) => string) {
  return (argument: string, before: Pairs = {}): Pairs => {
    if (argument === "" || argument.includes("=")) return pair(argument, before);
    const variable = variableOf(argument);
    const value = process.env[variable];
    if (value === undefined) {
      const fix = `Set the variable ${variable}, or write ${argument}=….`;
      throw new InvalidArgumentError(`The value is missing. ${fix}`);
    }
    return { ...before, [argument]: value };
  };
}

import { Command, InvalidArgumentError } from "commander";
import type { LocalWorkspaceVerb } from "../../workspace/local/command";
import { CommandError } from "../invocation/command-error";
import { ExitCode } from "../invocation/exit-code";

interface Options {
  readonly var?: Pairs;
  readonly terraform: string;
  readonly state?: string;
  readonly prefix: string;
  readonly typePrefix: string;
  readonly accessUrl?: string;
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
}

type Pairs = Readonly<Record<string, string>>;

export function localWorkspaceCommand(): Command {
  return new Command("workspace")
    .summary("the platform that builds workspaces")
    .description(
      "Builds workspaces of a template on this machine as the platform does: with its\n" +
        "steps, its variables and its checks. A template is the folder of a synthesized\n" +
        "stack, or any Terraform configuration. Afterwards it prints what the platform\n" +
        "would see.",
    )
    .addCommand(verb("import", "plan a template without a workspace, for start and for stop"))
    .addCommand(withOwner(withInputs(verb("start", "start a workspace, making it if need be"))))
    .addCommand(withInputs(verb("stop", "stop a workspace")))
    .addCommand(withInputs(verb("prebuild", "build a workspace ahead, which nobody owns yet")))
    .addCommand(withOwner(withInputs(verb("claim", "give a prebuilt workspace to an owner"))))
    .addCommand(withInputs(verb("delete", "delete a workspace")))
    .addHelpText(
      "after",
      `
Each verb takes the template's folder; \`trivet local workspace start --help\` shows its options.

Examples:
  trivet exec -- trivet local workspace import cdktf.out/stacks/dev
  trivet exec -- trivet local workspace start cdktf.out/stacks/dev --parameter region=eu
  trivet exec -- trivet local workspace stop cdktf.out/stacks/dev`,
    );
}

function verb(name: LocalWorkspaceVerb, summary: string): Command {
  return new Command(name)
    .summary(summary)
    .description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`)
    .argument("<folder>", "the template: a folder with cdk.tf.json, or with other Terraform files")
    .option("--var <name=value>", "an input variable of Terraform; may be repeated", pair)
    .option("--terraform <binary>", "the Terraform or OpenTofu to run", "terraform")
    .option(
      "--state <folder>",
      "where to keep what the next build needs (default: the user's state)",
    )
    .option("--prefix <word>", "the word that begins the names of variables", "TRIVET")
    .option("--type-prefix <text>", "what the platform's resource types begin with", "workspace_")
    .option("--access-url <url>", "where the platform says it is (default: http://localhost:3000)")
    .option("--json", "print what the platform would see as JSON")
    .option("--quiet", "do not print what Terraform says")
    .option("--verbose", "print all of it: what init says, and each step of an import")
    .addHelpText("after", help(name))
    .action((folder: string, options: Options) => localWorkspace(name, folder, options));
}

function withInputs(command: Command): Command {
  return command
    .option("--name <name>", "the workspace (default: dev)")
    .option("--parameter <name=value>", "an input of the template; may be repeated", pair)
    .option("--preset <name>", "the inputs of this preset; --parameter wins over them")
    .option(
      "--external-auth <id[=token]>",
      "a token of an external provider; may be repeated",
      pairFrom((id) => `EXTERNAL_AUTH_${id.replaceAll(/[^a-z\d]/gi, "_").toUpperCase()}`),
    )
    .option(
      "--secret-env <name[=value]>",
      "a secret by its variable; may be repeated",
      pairFrom((name) => name),
    )
    .option("--secret-file <path=value>", "a secret by its file; may be repeated", pair)
    .addHelpText(
      "after",
      `
Secrets need not stand on the command line, where others can read them: \`--secret-env KEY\` takes the
value from the variable KEY of this command, \`--external-auth git-hub\` from EXTERNAL_AUTH_GIT_HUB.`,
    );
}

function withOwner(command: Command): Command {
  command.option("--owner <name>", "the owner of a new workspace (default: dev)");
  if (command.name() === "start") {
    command.option("--task-prompt <text>", "make a new workspace one for a task with this prompt");
  }
  return command;
}

const EXAMPLES: Readonly<Record<LocalWorkspaceVerb, readonly string[]>> = {
  import: ["import cdktf.out/stacks/dev", "import ./template --json --quiet"],
  start: [
    "start cdktf.out/stacks/dev --name blue --owner ada --parameter region=eu",
    "start ./template --terraform tofu --state ./state",
  ],
  stop: ["stop cdktf.out/stacks/dev --name blue"],
  prebuild: ["prebuild cdktf.out/stacks/dev --name blue --preset Small"],
  claim: ["claim cdktf.out/stacks/dev --name blue --owner ada"],
  delete: ["delete cdktf.out/stacks/dev --name blue"],
};

function help(name: LocalWorkspaceVerb): string {
  const inputs = "Parameters keep the values of the build before. ";
  return `
${name === "import" ? "" : inputs}Ctrl-C lets Terraform end in order and keeps its state.
Terraform finds our providers when this runs under \`trivet exec --\`.

Examples:
${EXAMPLES[name].map((example) => `  trivet local workspace ${example}`).join("\n")}`;
}

async function localWorkspace(
  name: LocalWorkspaceVerb,
  folder: string,
  options: Options,
): Promise<void> {
  const { defaultStateFolder, runLocalWorkspace } =
    await import("../../workspace/local/command.js");
  const { LocalPlatformError } =
    await import("../../workspace/local/terraform/local-platform-error.js");
  const { commandEnvironment } = await import("../invocation/command-environment.js");
  const stop = new AbortController();
  const end = () => {
    stop.abort();
  };
  // A second Ctrl-C ends us; Terraform, in a group of its own, still ends in order.
  process.once("SIGINT", end);
  process.once("SIGTERM", end);
  try {
    await runLocalWorkspace(name, {
      settings: {
        template: folder,
        stateFolder: options.state ?? defaultStateFolder(folder, commandEnvironment()),
        terraform: options.terraform,
        environmentPrefix: options.prefix,
        typePrefix: options.typePrefix,
        accessUrl: options.accessUrl,
        ...(options.quiet === true ? {} : { log: (line: string) => console.error(line) }),
        verbose: options.verbose,
        signal: stop.signal,
      },
      request: {
        workspace: options.name,
        owner: options.owner,
        parameters: options.parameter,
        preset: options.preset,
        externalAuth: options.externalAuth,
        secretEnv: options.secretEnv,
        secretFiles: options.secretFile,
        taskPrompt: options.taskPrompt,
        variables: options.var,
      },
      json: options.json ?? false,
      stdout: process.stdout,
    });
  } catch (failure) {
    if (!(failure instanceof LocalPlatformError)) throw failure;
    const code = failure.code === "INTERRUPTED" ? ExitCode.interrupted : ExitCode.failed;
    throw new CommandError(failure.message, failure.cure, code, { cause: failure });
  } finally {
    process.off("SIGINT", end);
    process.off("SIGTERM", end);
  }
}

/** A value that is left out comes from the command's own environment. */
function pairFrom(variableOf: (name: string) => string) {
  return (text: string, before: Pairs = {}): Pairs => {
    if (text === "" || text.includes("=")) return pair(text, before);
    const variable = variableOf(text);
    const value = process.env[variable];
    if (value === undefined) {
      const way = `Set the variable ${variable}, or write ${text}=… out.`;
      throw new InvalidArgumentError(`There is no value for it. ${way}`);
    }
    return { ...before, [text]: value };
  };
}

function pair(text: string, before: Pairs = {}): Pairs {
  const [, name, value] = /^([^=]+)=([\s\S]*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError("It must be a name, an equals sign, and a value.");
  }
  return { ...before, [name]: value };
}

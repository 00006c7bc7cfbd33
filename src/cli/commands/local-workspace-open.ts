import { ExitCode } from "../invocation/failure";
import { Command, Option } from "commander";
import type { LocalPlatformSettings } from "../../local/workspace/local-platform";
import { serveUntilStopped } from "../invocation/run-program";
import { lastPort, pair, type Pairs, repeated, wholeNumber } from "./options";

/** The options of all `trivet local workspace` commands. */
export interface TemplateOptions {
  readonly var?: Pairs;
  readonly terraform: string;
  readonly state?: string;
  readonly varFile?: readonly string[];
  readonly product?: string;
  readonly platformVersion?: string;
  readonly accessUrl?: string;
}

/** Adds the argument and the options of {@link TemplateOptions}. */
export function withTemplate(command: Command): Command {
  return command
    .argument("<folder>", "the template: a folder with cdk.tf.json, or with other Terraform files")
    .option("--var <name=value>", "a Terraform input variable; may be repeated", pair)
    .option("--var-file <file>", "a file with variables; may be repeated", repeated)
    .option("--terraform <binary>", "the Terraform or OpenTofu to run", "terraform")
    .option(
      "--state <folder>",
      "folder for what the next build needs (default: the user's state folder)",
    )
    .addOption(
      new Option("--product <name>", "the platform (default: the one of the template)").choices([
        "trivet",
        "coder",
      ]),
    )
    .option("--platform-version <v>", "version of coder (default: that of the stack, or newest)")
    .option("--access-url <url>", "URL of the platform (default: http://localhost:3000)");
}

/**
 * Calls `use` with the settings of the local platform from these options, and explains its failures.
 *
 * @param needsProviders false if the providers of the template are not started
 */
export async function withPlatform(
  template: string,
  { state, terraform, product, accessUrl, platformVersion, ...options }: TemplateOptions,
  use: (
    platform: LocalPlatformSettings,
    variables: Readonly<Record<string, string>>,
  ) => Promise<void>,
  needsProviders = true,
): Promise<void> {
  const { defaultStateFolder, templateProduct } = await import("../../local/workspace/command.js");
  const { commandEnvironment } = await import("../invocation/command-environment.js");
  const { withProviders } = await import("../exec/with-providers.js");
  const around = commandEnvironment();
  const stateFolder = state ?? defaultStateFolder(template, around);
  const { typePrefix, environmentPrefix } = await templateProduct(template, product);
  const variables = await variablesOf(options);
  const names = { typePrefix, environmentPrefix, platformVersion };
  const settings = { template, terraform, ...names, accessUrl, stateFolder };
  const run = (env: NodeJS.ProcessEnv): Promise<void> => use({ ...settings, env }, variables);
  await (needsProviders ? withProviders(undefined, terraform, around, run) : run(process.env));
}

/** Returns the values of `--var-file`, and of `--var`, which replace them. */
async function variablesOf({
  var: given = {},
  varFile,
}: Pick<TemplateOptions, "var" | "varFile">): Promise<Readonly<Record<string, string>>> {
  if (varFile === undefined) return given;
  const { givenVariables } = await import("../stack/variables.js");
  const { options: inFiles } = await givenVariables({ varFile }, {});
  const texts = Object.entries(inFiles).map(([name, value]) => {
    return [name, typeof value === "string" ? value : JSON.stringify(value)] as const;
  });
  return { ...Object.fromEntries(texts), ...given };
}

interface Options extends TemplateOptions {
  readonly port?: number;
}

/** `trivet local workspace open`: the page of a template. */
export function openCommand(): Command {
  const command = new Command("open")
    .summary("serve a page with the template's form and its workspaces")
    .description(
      "Serves a page on the loopback interface: the form as users of the template get it, and the " +
        "workspaces that are built from it.",
    );
  return withTemplate(command)
    .option("--port <number>", "port to listen on (default: any free port)", wholeNumber(lastPort))
    .addHelpText(
      "after",
      `
Prints the address to open. It contains a token, without which nobody can use
the page.

Runs until it is stopped, with exit code ${ExitCode.interrupted} after Ctrl-C and 0 after SIGTERM. A
build that is running then is interrupted: Terraform stops gracefully and saves
its state.

Examples:
  trivet local workspace open cdktf.out/stacks/dev
  trivet local workspace open ./template --port 8080`,
    )
    .action(open);
}

async function open(folder: string, options: Options): Promise<void> {
  const { runLocalWorkspacePage } = await import("../../local/workspace/page/page-server.js");
  await serveUntilStopped((signal) =>
    withPlatform(folder, options, (platform, variables) =>
      runLocalWorkspacePage({
        platform,
        variables,
        port: options.port,
        stdout: process.stdout,
        signal,
      }),
    ),
  );
}

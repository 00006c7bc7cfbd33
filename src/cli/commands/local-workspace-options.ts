import type { Command } from "commander";
import type { LocalPlatformSettings } from "../../workspace/local/local-platform";
import { CommandError } from "../invocation/command-error";
import { ExitCode } from "../invocation/exit-code";
import { pair, type Pairs } from "./options";

/** The options of all `trivet local workspace` commands. */
export interface TemplateOptions {
  readonly var?: Pairs;
  readonly terraform: string;
  readonly state?: string;
  readonly prefix: string;
  readonly typePrefix: string;
  readonly accessUrl?: string;
}

/** Adds the argument and the options of {@link TemplateOptions}. */
export function withTemplate(command: Command): Command {
  return command
    .argument("<folder>", "the template: a folder with cdk.tf.json, or with other Terraform files")
    .option("--var <name=value>", "a Terraform input variable; may be repeated", pair)
    .option("--terraform <binary>", "the Terraform or OpenTofu to run", "terraform")
    .option(
      "--state <folder>",
      "folder for what the next build needs (default: the user's state folder)",
    )
    .option("--prefix <prefix>", "prefix of environment variables", "TRIVET")
    .option("--type-prefix <prefix>", "prefix of the platform's resource types", "workspace_")
    .option("--access-url <url>", "URL of the platform (default: http://localhost:3000)");
}

/**
 * Calls `use` with the settings of the local platform from these options, and explains its failures.
 *
 * @param needsProviders false if the providers of the template are not started
 */
export async function withPlatform(
  template: string,
  { state, terraform, prefix, typePrefix, accessUrl }: TemplateOptions,
  use: (platform: LocalPlatformSettings) => Promise<void>,
  needsProviders = true,
): Promise<void> {
  const { defaultStateFolder } = await import("../../workspace/local/command.js");
  const { LocalPlatformError } =
    await import("../../workspace/local/terraform/local-platform-error.js");
  const { commandEnvironment } = await import("../invocation/command-environment.js");
  const { withProviders } = await import("../exec/with-providers.js");
  const around = commandEnvironment();
  const stateFolder = state ?? defaultStateFolder(template, around);
  const run = (env: NodeJS.ProcessEnv): Promise<void> =>
    use({
      template,
      terraform,
      typePrefix,
      accessUrl,
      stateFolder,
      environmentPrefix: prefix,
      env,
    });
  try {
    await (needsProviders ? withProviders(undefined, terraform, around, run) : run(process.env));
  } catch (failure) {
    if (!(failure instanceof LocalPlatformError)) throw failure;
    const code = failure.code === "INTERRUPTED" ? ExitCode.interrupted : ExitCode.failed;
    throw new CommandError(failure.message, failure.cure, code, { cause: failure });
  }
}

import { Command } from "commander";

interface Options {
  readonly dir?: string;
}

/** `trivet exec`: runs a command that finds the providers. */
export function execCommand(): Command {
  return new Command("exec")
    .summary("run cdktf, terraform or tofu so that it finds the providers")
    .description(
      "Runs a command with a temporary Terraform CLI configuration that takes our providers from " +
        "the mirror and everything else from the usual place. Installs the providers first if " +
        "necessary.",
    )
    .usage("[options] -- <command> [arguments...]")
    .option("--dir <folder>", "the mirror to use (default: the user's plugin folder)")
    .argument("<command>", "the command to run")
    .argument("[arguments...]", "its arguments")
    .passThroughOptions()
    .addHelpText(
      "after",
      `
Your own CLI configuration (TF_CLI_CONFIG_FILE or the file in your home folder)
still applies; the mirror is added to it. The command also gets
CDKTF_SKIP_PROVIDER_LOCK=true, because cdktf would request checksums from the
providers' host, which does not exist, and CHECKPOINT_DISABLE=1.

Exits with the command's exit code.

Examples:
  trivet exec -- cdktf deploy
  trivet exec --dir ./mirror -- terraform -chdir=cdktf.out/stacks/ids init`,
    )
    .action(exec);
}

async function exec(command: string, args: readonly string[], options: Options): Promise<void> {
  const { withProviders } = await import("../exec/with-providers.js");
  const { runCommand } = await import("../exec/run-command.js");
  const { commandEnvironment } = await import("../invocation/command-environment.js");

  process.exitCode = await withProviders(options.dir, command, commandEnvironment(), (env) =>
    runCommand(command, args, {
      ...env,
      CDKTF_SKIP_PROVIDER_LOCK: "true",
      DISABLE_VERSION_CHECK: "1",
    }),
  );
}

import { Command } from "commander";

interface Options {
  readonly dir?: string;
  readonly warm?: boolean;
}

/** `trivet exec`: runs a command that finds the providers. */
export function execCommand(): Command {
  return new Command("exec")
    .summary("run terraform, tofu, cdktf or cdktn so that it finds the providers")
    .description(
      "Runs a command with a temporary Terraform CLI configuration that takes our providers from " +
        "the mirror and everything else from the usual place. Installs the providers first if " +
        "necessary.",
    )
    .usage("[options] -- <command> [arguments...]")
    .option("--dir <folder>", "the mirror to use (default: the user's plugin folder)")
    .option("--warm", "keep the providers for all Terraform commands that the command runs")
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

With --warm, Terraform does not start our providers anew for each of its
commands. Each starts once for a working folder and an environment, is used by
every \`terraform\` and \`tofu\` that the command finds on PATH, and ends with
the command. \`init\` is still necessary. Needs a POSIX shell: not on Windows.

Exits with the command's exit code.

Examples:
  trivet exec -- terraform -chdir=cdktf.out/stacks/ids init
  trivet exec --warm -- ./deploy-all.sh
  trivet exec -- cdktf deploy
  trivet exec -- cdktn deploy
  trivet exec --dir ./mirror -- tofu -chdir=cdktf.out/stacks/ids apply`,
    )
    .action(exec);
}

async function exec(command: string, args: readonly string[], options: Options): Promise<void> {
  const { withProviders } = await import("../exec/with-providers.js");
  const { runCommand } = await import("../exec/run-command.js");
  const { commandEnvironment } = await import("../invocation/command-environment.js");
  const around = commandEnvironment();
  const run = (tool: string, env: NodeJS.ProcessEnv): Promise<number> =>
    runCommand(tool, args, {
      ...env,
      CDKTF_SKIP_PROVIDER_LOCK: "true",
      DISABLE_VERSION_CHECK: "1",
    });

  process.exitCode = await withProviders(options.dir, command, around, async (env) => {
    if (options.warm !== true) return await run(command, env);
    const { withWarmProviders } = await import("../warm/with-warm-providers.js");
    return await withWarmProviders(command, env, around.platform, run);
  });
}

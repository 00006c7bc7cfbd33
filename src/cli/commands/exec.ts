import { basename } from "node:path";
import { Command } from "commander";
import { CommandError } from "../invocation/command-error";
import type { CommandEnvironment } from "../invocation/command-environment";
import type { UserConfiguration } from "../exec/user-configuration";

interface Options {
  readonly dir?: string;
}

/** `trivet exec`: runs a command that finds the providers. */
export function execCommand(): Command {
  return new Command("exec")
    .summary("run cdktf, terraform or tofu so that it finds the providers")
    .description(
      "Runs a command with a temporary Terraform CLI configuration that takes our\n" +
        "providers from the mirror and everything else from the usual place. Installs\n" +
        "the providers first if necessary.",
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
  const { mirrorFolder } = await import("../package/mirror.js");
  const { cliConfiguration } = await import("../exec/cli-configuration.js");
  const { userConfigurations } = await import("../exec/user-configuration.js");
  const { withTemporaryFile } = await import("../exec/temporary-file.js");
  const { runCommand } = await import("../exec/run-command.js");
  const { commandEnvironment } = await import("../invocation/command-environment.js");

  const around = commandEnvironment();
  const mirror = mirrorFolder(options.dir, around);
  const tool = toolOf(command, around);
  const user = await userConfigurations(around, tool);
  await Promise.all([installMissing(mirror), refuseBroken(user, tool)]);
  const { text, warnings } = cliConfiguration(mirror, user);
  for (const warning of warnings) console.warn(`trivet: ${warning}`);
  process.exitCode = await withTemporaryFile("terraform.rc", text, (path) =>
    runCommand(command, args, {
      ...process.env,
      TF_CLI_CONFIG_FILE: path,
      CDKTF_SKIP_PROVIDER_LOCK: "true",
      CHECKPOINT_DISABLE: "1",
      DISABLE_VERSION_CHECK: "1",
    }),
  );
}

async function installMissing(mirror: string): Promise<void> {
  const { builtPackages } = await import("../package/built-package.js");
  const { installPackage } = await import("../package/install-package.js");
  const { terraformPlatform } = await import("../package/platform.js");
  const { packageRoot } = await import("../package/package-root.js");
  for (const built of await builtPackages(packageRoot())) {
    const { outcome } = await installPackage(built, { mirror, platform: terraformPlatform() });
    if (outcome !== "unchanged") {
      // On stderr, since the command's own output may be piped.
      console.error(`trivet: ${outcome} the provider ${built.name} ${built.version} in ${mirror}`);
    }
  }
}

/** Refuses a configuration that Terraform would report under the name of our temporary file. */
async function refuseBroken(files: readonly UserConfiguration[], tool: string): Promise<void> {
  const { configurationProblem } = await import("../exec/configuration-problem.js");
  const { toolRunner } = await import("../invocation/run-tool.js");
  for (const { path } of files) {
    const broken = await configurationProblem(path, tool, toolRunner(process.env));
    if (broken === undefined) continue;
    throw new CommandError(
      `${path} is not a valid CLI configuration: ${broken}`,
      "Correct the file, or set TF_CLI_CONFIG_FILE to another one.",
    );
  }
}

/** The tool whose configuration files apply: cdktf runs TERRAFORM_BINARY_NAME. */
function toolOf(command: string, { env }: CommandEnvironment): "terraform" | "tofu" {
  const names = [command, env["TERRAFORM_BINARY_NAME"] ?? ""].map((name) => basename(name, ".exe"));
  return names.includes("tofu") ? "tofu" : "terraform";
}

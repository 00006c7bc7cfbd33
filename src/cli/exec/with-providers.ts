import { providerSource } from "../../core/construct/product/product";
import { isOpenTofu } from "../../core/process/open-tofu";
import type { CommandEnvironment } from "../invocation/command-environment";
import { CommandError, note } from "../invocation/failure";
import { mirrorFolder } from "../package/mirror";
import { cliConfiguration, type UserConfiguration, userConfigurations } from "./cli-configuration";
import { withTemporaryFile } from "./temporary-folder";

/**
 * Calls `use` with the environment in which a command finds our providers. Installs missing ones first.
 *
 * @param folder the mirror; undefined for the user's plugin folder
 * @param command the command to run, which decides whose configuration files apply
 * @throws CommandError when a configuration file of the user is not valid
 */
export async function withProviders<Result>(
  folder: string | undefined,
  command: string,
  around: CommandEnvironment,
  use: (env: NodeJS.ProcessEnv) => Promise<Result>,
): Promise<Result> {
  const mirror = mirrorFolder(folder, around);
  return await withMirrors([mirror], command, around, async (env) => {
    await installMissing(mirror, () => true);
    return await use(env);
  });
}

/** Like {@link withProviders}, but installs nothing. */
export async function withMirrors<Result>(
  mirrors: readonly string[],
  command: string,
  around: CommandEnvironment,
  use: (env: NodeJS.ProcessEnv) => Promise<Result>,
): Promise<Result> {
  const tool = toolOf(command, around);
  const user = await userConfigurations(around, tool);
  await refuseBroken(user, tool);
  const { text, warnings } = cliConfiguration(mirrors, user);
  for (const warning of warnings) note(warning);
  return await withTemporaryFile("terraform.rc", text, (path) =>
    use({ ...process.env, TF_CLI_CONFIG_FILE: path, CHECKPOINT_DISABLE: "1" }),
  );
}

/**
 * Installs our providers that are missing in a mirror.
 *
 * @param isNeeded receives the source address, such as `trivet.local/trivet/ids`
 * @returns whether one was installed
 */
export async function installMissing(
  mirror: string,
  isNeeded: (source: string) => boolean,
): Promise<boolean> {
  const { builtPackages } = await import("../package/built-package.js");
  const { installPackage } = await import("../package/install-package.js");
  const { terraformPlatform } = await import("../package/platform.js");
  const { packageRoot } = await import("../../core/process/package-root.js");
  let isChanged = false;
  for (const built of await builtPackages(packageRoot())) {
    if (!isNeeded(providerSource(built.name))) continue;
    const { outcome } = await installPackage(built, { mirror, platform: terraformPlatform() });
    if (outcome === "unchanged") continue;
    isChanged = true;
    note(`${outcome} the provider ${built.name} ${built.version} in ${mirror}`);
  }
  return isChanged;
}

/** Refuses an invalid configuration. Terraform would report the path of our temporary file. */
async function refuseBroken(files: readonly UserConfiguration[], tool: string): Promise<void> {
  const { configurationProblem } = await import("./cli-configuration.js");
  const { toolRunner } = await import("./run-command.js");
  for (const { path } of files) {
    const broken = await configurationProblem(path, tool, toolRunner(process.env));
    if (broken === undefined) continue;
    throw new CommandError(
      `${path} is not a valid CLI configuration: ${broken}`,
      "Correct the file, or set TF_CLI_CONFIG_FILE to another one.",
    );
  }
}

/** Returns the tool whose configuration files apply: cdktf runs TERRAFORM_BINARY_NAME. */
function toolOf(command: string, { env }: CommandEnvironment): "terraform" | "tofu" {
  return [command, env["TERRAFORM_BINARY_NAME"]].some((each) => isOpenTofu(each))
    ? "tofu"
    : "terraform";
}

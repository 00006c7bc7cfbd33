import { tmpdir } from "node:os";
import { join } from "node:path";
import { withMirrors } from "../exec/with-providers";
import { withTemporaryFolder } from "../exec/temporary-folder";
import { finishWithoutOutput } from "../invocation/until-stopped";
import { commandEnvironment, exists } from "../invocation/command-environment";
import { CommandError } from "../invocation/command-error";
import { refuseSharedFolder } from "../warm/trusted-folder";
import { WarmProviders } from "../warm/warm-providers";
import type { Interruption } from "../exec/interruption";
import { mirrorFolder, stackMirror } from "../package/mirror";
import { Terraform } from "./terraform";

/**
 * Calls `use` with a Terraform that finds our providers once they are installed, and keeps them running between
 * commands where possible.
 *
 * @param folder the only folder of the providers; undefined for one of our own, and what others have put into the user's
 * plugin folder
 */
export async function withTerraform<Result>(
  folder: string | undefined,
  interruption: Interruption,
  use: (terraform: Terraform) => Promise<Result>,
): Promise<Result> {
  // Terraform could not save its state if this process ended before.
  finishWithoutOutput();
  const around = commandEnvironment();
  const { TERRAFORM_BINARY_NAME: named = "" } = around.env;
  const command = named === "" ? "terraform" : named;
  const plugins = mirrorFolder(folder, around);
  const mirror = folder === undefined ? stackMirror(around) : plugins;
  // Terraform refuses a mirror that does not exist.
  const others = mirror !== plugins && (await exists(plugins)) ? [plugins] : [];
  return await withMirrors([mirror, ...others], command, around, (env) =>
    withTemporaryFolder(async (temporary) => {
      const providers = isTrusted(around.platform)
        ? new WarmProviders({ socketFolder: temporary, onPath: join(temporary, "bin") })
        : undefined;
      try {
        return await use(new Terraform({ command, env, mirror, providers, interruption }));
      } finally {
        await providers?.close();
      }
    }),
  );
}

/** Checks that no other user can replace the sockets of providers. */
function isTrusted(platform: NodeJS.Platform): boolean {
  if (platform === "win32") return false;
  try {
    refuseSharedFolder(tmpdir());
    return true;
  } catch (failure) {
    if (failure instanceof CommandError) return false;
    throw failure;
  }
}

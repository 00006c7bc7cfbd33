import { isAbsolute, join, resolve } from "node:path";
import type { Interruption } from "../exec/interruption";
import { sharedFolderProblem, withTemporaryFolder } from "../exec/temporary-folder";
import { withMirrors } from "../exec/with-providers";
import { commandEnvironment, exists } from "../invocation/command-environment";
import { CommandError, ExitCode } from "../invocation/failure";
import { finishWithoutOutput } from "../invocation/run-program";
import { mirrorFolder, stackMirror } from "../package/mirror";
import { WarmProviders } from "../warm/warm-providers";
import { Terraform } from "./terraform";

/**
 * Calls `use` with a Terraform that finds our providers once they are installed, and keeps them running between commands
 * where possible.
 *
 * @param folder the only mirror; undefined for the mirror of the commands for stacks, and the user's plugin folder
 */
export async function withTerraform<Result>(
  folder: string | undefined,
  interruption: Interruption,
  use: (terraform: Terraform) => Promise<Result>,
): Promise<Result> {
  // If this process ended early, Terraform could not save its state.
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
      const areKept = around.platform !== "win32" && sharedFolderProblem() === undefined;
      const providers = areKept
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

export interface PassedOptions {
  readonly var?: readonly string[];
  readonly varFile?: readonly string[];
  readonly target?: readonly string[];
  /** False for `--no-refresh`. */
  readonly refresh?: boolean;
  readonly parallelism?: number;
}

/** The options of Terraform's commands. */
export interface TerraformOptions {
  readonly plan: readonly string[];
  readonly apply: readonly string[];
}

/** Options that trivet itself sets to save and show a plan. */
const own = /^--?(out|json|destroy|detailed-exitcode|input|chdir|auto-approve)(=|$)/;

/** Options of `terraform plan` that an apply needs too. */
const forBoth = /^--?(parallelism|lock|lock-timeout)=/;

/**
 * Returns the options of `terraform plan` and of `terraform apply`.
 *
 * @param rest the user's arguments after `--`
 * @param folder the folder to which paths of files are relative
 * @throws CommandError for options in `rest` that cannot be changed
 */
export function terraformOptions(
  options: PassedOptions,
  rest: readonly string[],
  folder: string,
): TerraformOptions {
  const refused = rest.find((option) => own.test(option));
  if (refused !== undefined) {
    throw new CommandError(
      `Terraform's option ${refused} cannot be set here.`,
      "Leave it out. To use it, run Terraform itself in the folder of the stack.",
      ExitCode.usage,
    );
  }
  const { parallelism } = options;
  const inFolder = (path: string): string => (isAbsolute(path) ? path : resolve(folder, path));
  const plan = [
    ...(options.var ?? []).map((value) => `-var=${value}`),
    ...(options.varFile ?? []).map((path) => `-var-file=${inFolder(path)}`),
    ...(options.target ?? []).map((address) => `-target=${address}`),
    ...(options.refresh === false ? ["-refresh=false"] : []),
    ...(parallelism === undefined ? [] : [`-parallelism=${parallelism}`]),
    ...rest,
  ];
  return { plan, apply: plan.filter((option) => forBoth.test(option)) };
}

import { isAbsolute, resolve } from "node:path";
import { CommandError } from "../invocation/command-error";
import { ExitCode } from "../invocation/exit-code";

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

/** Options with which trivet saves and shows a plan, so users cannot change them. */
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

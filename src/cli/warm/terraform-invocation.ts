import { resolve } from "node:path";

/** A command of Terraform that is about to run. */
export interface TerraformInvocation {
  /** The process that becomes Terraform, or the one that starts it and releases its providers. */
  readonly pid: number;
  /** The folder in which the command was called. */
  readonly calledIn: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Returns the folder in which Terraform and its providers work: `-chdir`, otherwise that of the call. */
export function workingFolder({ calledIn, args }: TerraformInvocation): string {
  const global = args.slice(0, positionOfCommand(args));
  const changed = global.find((arg) => arg.startsWith("-chdir="))?.slice("-chdir=".length);
  return resolve(calledIn, changed ?? "");
}

/**
 * Commands that start no provider. `init` installs them, and must do so whether they are warm or not:
 * Terraform neither installs nor locks the providers in TF_REATTACH_PROVIDERS.
 */
const withoutProviders = new Set([
  "fmt",
  "force-unlock",
  "get",
  "init",
  "login",
  "logout",
  "metadata",
  "output",
  "version",
  "workspace",
]);

/** Commands that start a provider only with these subcommands. */
const subcommandsWithProviders: Readonly<Record<string, readonly string[]>> = {
  providers: ["schema"],
  state: ["show"],
};

export function needsProviders({ args }: TerraformInvocation): boolean {
  const position = positionOfCommand(args);
  const command = args[position];
  if (command === undefined || args.some((arg) => /^--?h(elp)?$/.test(arg))) return false;
  const subcommands = subcommandsWithProviders[command];
  if (subcommands !== undefined) return subcommands.includes(args[position + 1] ?? "");
  return !withoutProviders.has(command);
}

function positionOfCommand(args: readonly string[]): number {
  const position = args.findIndex((arg) => !arg.startsWith("-"));
  return position === -1 ? args.length : position;
}

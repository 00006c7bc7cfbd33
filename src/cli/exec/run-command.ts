import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { constants } from "node:os";
import { CommandError } from "../invocation/command-error";
import { ExitCode } from "../invocation/exit-code";

const FORWARDED: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];
/** Sent by a terminal to all its foreground processes at once. */
const FROM_TERMINAL: readonly NodeJS.Signals[] = ["SIGINT", "SIGQUIT"];

/**
 * Runs a command with our standard streams and returns the exit code for the shell. Signals are
 * passed on, and we stay until the command has ended.
 *
 * Ctrl-C is not passed on when there is a terminal: the command has already got it, and Terraform
 * takes a second one as the order to leave without saving its state.
 */
export async function runCommand(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const child = spawn(command, args, { stdio: "inherit", env });
  const terminal = hasTerminal();
  const forward = (signal: NodeJS.Signals) => {
    if (!(terminal && FROM_TERMINAL.includes(signal))) child.kill(signal);
  };
  for (const signal of FORWARDED) process.on(signal, forward);
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once("error", (cause: NodeJS.ErrnoException) => {
        reject(startFailure(command, cause));
      });
      child.once("exit", (code, signal) => {
        resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
      });
    });
  } finally {
    for (const signal of FORWARDED) process.off(signal, forward);
  }
}

function hasTerminal(): boolean {
  try {
    closeSync(openSync("/dev/tty", "r"));
    return true;
  } catch {
    return false;
  }
}

function startFailure(command: string, cause: NodeJS.ErrnoException): CommandError {
  return cause.code === "ENOENT"
    ? new CommandError(
        `There is no command "${command}".`,
        "Check its spelling and PATH; a tool of the project is found with `npx trivet exec -- …`.",
        ExitCode.commandNotFound,
        { cause },
      )
    : new CommandError(
        `"${command}" could not be started: ${cause.message}.`,
        "Check that it may be executed.",
        ExitCode.failed,
        { cause },
      );
}

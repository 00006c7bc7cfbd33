import { execFile, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { constants } from "node:os";
import { CommandError, ExitCode } from "../invocation/failure";
import { endingSignals } from "./interruption";

/** A terminal sends these to all its foreground processes. */
const fromTerminal: readonly NodeJS.Signals[] = ["SIGINT", "SIGQUIT"];

/**
 * Runs a command with our standard streams until it exits, passes signals on to it, and returns the exit code for the shell.
 *
 * With a terminal, Ctrl-C is not passed on: the command has already received it, and after a second one Terraform exits
 * without saving its state.
 */
export async function runCommand(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const child = spawn(command, args, { stdio: "inherit", env });
  const terminal = hasTerminal();
  const forward = (signal: NodeJS.Signals) => {
    if (!(terminal && fromTerminal.includes(signal))) child.kill(signal);
  };
  for (const signal of endingSignals) process.on(signal, forward);
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once("error", (cause: NodeJS.ErrnoException) => {
        const missing =
          "Check its spelling and PATH. `npx trivet exec -- …` also finds the tools of the project.";
        reject(startFailure(command, cause, missing));
      });
      child.once("exit", (code, signal) => {
        resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
      });
    });
  } finally {
    for (const signal of endingSignals) process.off(signal, forward);
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

/** @param missing advice for a command that does not exist */
export function startFailure(
  command: string,
  cause: NodeJS.ErrnoException,
  missing: string,
): CommandError {
  return cause.code === "ENOENT"
    ? new CommandError(
        `The command "${command}" does not exist.`,
        missing,
        ExitCode.commandNotFound,
        { cause },
      )
    : new CommandError(
        `"${command}" could not be started: ${cause.message}.`,
        "Check that it is executable.",
        ExitCode.failed,
        { cause },
      );
}

/** The result of running a tool; `missing` if it does not exist. */
type Outcome =
  | { readonly kind: "missing" }
  | {
      readonly kind: "ended";
      readonly ok: boolean;
      readonly stdout: string;
      readonly stderr: string;
    };

/** @param variables added to the environment */
export type RunTool = (
  command: string,
  args: readonly string[],
  variables?: Readonly<Record<string, string>>,
) => Promise<Outcome>;

const maxWaitMs = 20_000;

/** Runs tools for at most 20 seconds each, without the check for a newer version. */
export function toolRunner(env: NodeJS.ProcessEnv): RunTool {
  return (command, args, variables) =>
    new Promise((resolve) => {
      const options = {
        env: { ...env, CHECKPOINT_DISABLE: "1", ...variables },
        timeout: maxWaitMs,
      };
      execFile(command, args, options, (error, stdout, stderr) => {
        if (error?.code === "ENOENT") resolve({ kind: "missing" });
        else resolve({ kind: "ended", ok: error === null, stdout, stderr });
      });
    });
}

/** Makes callers wait for each other. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Calls `use` when the earlier callers are done. */
  async take<Result>(use: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(use);
    this.#last = result.catch(() => undefined);
    return await result;
  }
}

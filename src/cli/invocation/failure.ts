import { Failure, isFailure, messageOf } from "../../core/failure/failure";
import { CommanderError } from "commander";
import { writeJson, writeText } from "../../core/redaction/output";

/** The exit codes of the process. `trivet exec` passes on its command's own code. */
export const ExitCode = {
  ok: 0,
  failed: 1,
  usage: 2,
  /** A change that `--refuse` does not allow, plans for something else, or an image that a policy does not accept. */
  refused: 3,
  commandNotFound: 127,
  interrupted: 130,
  /** 128 + SIGPIPE, as a shell reports it. */
  outputClosed: 141,
} as const;

/** The exit codes, for `trivet-provider --help`. */
export const providerExitCodesHelp = `
Exit codes:
  0    done
  1    failed
  2    the command line is invalid
  130  interrupted (Ctrl-C)
  141  the output was closed, as by \`| head\``;

/** The exit codes, for `trivet --help`. */
export const exitCodesHelp = `
Exit codes:
  0    done
  1    failed, not approved, or \`doctor\` found a problem
  2    the command line is invalid
  3    \`--refuse\` does not allow a change, or a policy refuses an image
  127  \`exec\` did not find the command, or Terraform is missing
  130  interrupted (Ctrl-C)
  141  the output was closed, as by \`| head\`
  \`exec\` exits with its command's code, or with 128 + n if signal n ended it.`;

/** A failure of a command itself. It can have its own exit code. */
export class CommandError extends Failure<"COMMAND"> {
  override readonly name = "CommandError";

  /**
   * @param fix how to fix it, in full sentences
   * @param exitCode @default ExitCode.failed
   */
  constructor(
    message: string,
    fix: string,
    readonly exitCode: number = ExitCode.failed,
    options?: ErrorOptions,
  ) {
    super("COMMAND", message, { ...options, advice: fix });
  }
}

interface CommandEnd {
  readonly message: string;
  readonly fix: string;
  readonly exitCode: number;
  /** The text for people; empty if it has been printed. */
  readonly text: string;
}

/** Describes how a command ends. The user can fix a failure with advice, so it is shown without a stack trace. */
export function failureOf(error: unknown): CommandEnd {
  if (isFailure(error) && error.advice !== undefined) {
    const { message, advice: fix } = error;
    const exitCode = exitCodeOf(error);
    return { message, fix, exitCode, text: `trivet: ${message}\n${fix}` };
  }
  if (error instanceof CommanderError) {
    // commander has printed the problem.
    const message = error.message.replace(/^error: /, "");
    return { message, fix: "`--help` shows the options.", exitCode: ExitCode.usage, text: "" };
  }
  const message = messageOf(error);
  const text = `trivet failed: ${error instanceof Error ? (error.stack ?? message) : message}`;
  const fix = "This is probably a bug in trivet. Please report it with the stack trace.";
  return { message, fix, exitCode: ExitCode.failed, text: `${text}\n${fix}` };
}

function exitCodeOf(failure: Failure): number {
  if (failure instanceof CommandError) return failure.exitCode;
  return failure.code === "INTERRUPTED" ? ExitCode.interrupted : ExitCode.failed;
}

/**
 * Prints a failure on standard error, and with `--json` also as JSON on standard output, where a program
 * expects the result.
 */
export function printFailure({ message, fix, exitCode, text }: CommandEnd, isJson: boolean): void {
  if (text !== "") printError(text);
  if (isJson) printJson({ error: { message, fix, exitCode } });
}

/** Prints a message on standard error, since standard output is for results. */
export function note(message: string): void {
  printError(`trivet: ${message}`);
}

/** Prints a line on standard error. */
export const printError = (text: string): void => {
  writeText(process.stderr, `${text}\n`);
};

/** Prints a line of the result. */
export const print = (text: string): void => {
  writeText(process.stdout, `${text}\n`);
};

export const printJson = (result: unknown): void => {
  writeJson(process.stdout, result);
};

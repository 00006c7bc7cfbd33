import { CommanderError } from "commander";
import { CommandError } from "./command-error";
import { ExitCode } from "./exit-code";
import { writeJson, writeText } from "../../core/redaction/output";

interface Failure {
  readonly message: string;
  readonly fix: string;
  readonly exitCode: number;
  /** The text for people; empty if it has been printed. */
  readonly text: string;
}

export function failureOf(error: unknown): Failure {
  if (error instanceof CommandError) {
    const { message, fix, exitCode } = error;
    return { message, fix, exitCode, text: `trivet: ${message}\n${fix}` };
  }
  if (error instanceof CommanderError) {
    // commander has printed the problem.
    const message = error.message.replace(/^error: /, "");
    return { message, fix: "`--help` shows the options.", exitCode: ExitCode.usage, text: "" };
  }
  const message = error instanceof Error ? error.message : String(error);
  const text = `trivet failed: ${error instanceof Error ? (error.stack ?? message) : message}`;
  const fix = "This is probably a bug in trivet. Please report it with the stack trace.";
  return { message, fix, exitCode: ExitCode.failed, text: `${text}\n${fix}` };
}

/**
 * Prints a failure on standard error, and with `--json` also as JSON on standard output, where a program
 * expects the result.
 */
export function printFailure({ message, fix, exitCode, text }: Failure, isJson: boolean): void {
  if (text !== "") printError(text);
  if (isJson) printJson({ error: { message, fix, exitCode } });
}

/** Prints a message on standard error, since standard output is for results. */
export function tell(message: string): void {
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

import { isFailure } from "../failure/failure";
/**
 * Returns the code of an operating system error, such as EPIPE; undefined for any other value.
 *
 * Checks fields instead of using `instanceof`, because errors may come from another realm, such as
 * in a test runner.
 */
export function systemErrorCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  // Failures have our own codes.
  if (isFailure(error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** Checks whether a caught value is an operating system error with this code. */
export const hasCode = (error: unknown, code: string): boolean => systemErrorCode(error) === code;

/** Returns the standard error output of a command if this is the failure of `execFile`, otherwise "". */
export function standardErrorOf(failure: unknown): string {
  if (typeof failure !== "object" || failure === null || !("stderr" in failure)) return "";
  return String(failure.stderr).trim();
}

/** Handles the failure of a call to the file system: undefined if the file does not exist. Throws any other. */
export function ifAbsent(failure: unknown): undefined {
  if (!hasCode(failure, "ENOENT")) throw failure;
}

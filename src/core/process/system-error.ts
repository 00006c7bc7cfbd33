import { isFailure } from "../failure/failure";

/** Returns the code of an operating system error, such as EPIPE; undefined for any other value. */
export function systemErrorCode(error: unknown): string | undefined {
  // Not `instanceof Error`: in a test runner, errors come from another realm.
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  // A failure has a code of its room.
  if (isFailure(error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** Checks whether a caught value is an operating system error with this code. */
export const hasCode = (error: unknown, code: string): boolean => systemErrorCode(error) === code;

/** Returns the standard error output of a command that `execFile` reports as failed; otherwise "". */
export function standardErrorOf(failure: unknown): string {
  if (typeof failure !== "object" || failure === null || !("stderr" in failure)) return "";
  return String(failure.stderr).trim();
}

/** Handles an error of the file system: undefined if the file does not exist. Rethrows any other error. */
export function ifAbsent(failure: unknown): undefined {
  if (!hasCode(failure, "ENOENT")) throw failure;
}

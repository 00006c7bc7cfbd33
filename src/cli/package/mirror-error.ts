import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { systemErrorCode } from "../../core/process/system-error";
import { CommandError } from "../invocation/command-error";

/**
 * Converts an error of the operating system while a mirror was read or written to a failure that the user can
 * fix.
 *
 * @param failure the caught value; any other error is returned unchanged
 */
export async function mirrorError(mirror: string, failure: unknown): Promise<unknown> {
  const code = systemErrorCode(failure);
  if (code === undefined || !(failure instanceof Error)) return failure;
  const file = await fileInPath(mirror);
  return file === undefined
    ? new CommandError(
        `The providers cannot be installed in ${mirror}: ${failure.message}.`,
        "Make the folder writable and check that there is space left, or select another one with --dir.",
        undefined,
        { cause: failure },
      )
    : new CommandError(
        `The providers cannot be installed in ${mirror}: ${file} is a file, not a folder.`,
        "Move the file away, or select another folder with --dir.",
        undefined,
        { cause: failure },
      );
}

/** Returns the part of a path that exists and is not a folder. */
async function fileInPath(path: string): Promise<string | undefined> {
  for (let at = path; ; at = dirname(at)) {
    const found = await stat(at).catch(() => undefined);
    if (found !== undefined) return found.isDirectory() ? undefined : at;
    if (dirname(at) === at) return undefined;
  }
}

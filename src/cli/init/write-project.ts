import { lstat, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hasCode, systemErrorCode } from "../../core/process/system-error";
import { CommandError } from "../invocation/command-error";

/**
 * Writes files into a folder, which is created if it does not exist.
 *
 * @param files their content, by their path in the folder
 * @throws CommandError when one of them exists; then nothing is written
 */
export async function writeProject(
  folder: string,
  files: ReadonlyMap<string, string>,
): Promise<void> {
  try {
    const existing: string[] = [];
    for (const path of files.keys()) {
      if (await exists(join(folder, path))) existing.push(path);
    }
    if (existing.length > 0) throw refusal(folder, existing);
    for (const [path, text] of files) {
      const file = join(folder, path);
      await mkdir(dirname(file), { recursive: true });
      // Refuses a file that appeared since.
      await writeFile(file, text, { flag: "wx" });
    }
  } catch (failure) {
    if (!(failure instanceof Error) || systemErrorCode(failure) === undefined) throw failure;
    throw new CommandError(
      `The project cannot be written to ${folder}: ${failure.message}.`,
      "Choose a folder that is empty, or does not exist yet, and that you may write to.",
      undefined,
      { cause: failure },
    );
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (failure) {
    if (hasCode(failure, "ENOENT")) return false;
    throw failure;
  }
}

function refusal(folder: string, existing: readonly string[]): CommandError {
  const many = existing.length > 1;
  return new CommandError(
    `${folder} already has ${many ? "files" : "a file"} of the project: ${existing.join(", ")}.`,
    `Choose an empty folder, or move ${many ? "these files" : "the file"} away. Nothing was written.`,
  );
}

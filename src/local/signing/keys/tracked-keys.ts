import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { hasCode, standardErrorOf } from "../../../core/process/system-error";

const run = promisify(execFile);

/**
 * Refuses a folder for keys if a git repository tracks files in it: anyone with the repository has those keys
 * too, and keys that replace them would be committed.
 *
 * @param folder it need not exist
 * @throws Error with a message for the user
 */
export async function refuseTrackedKeys(folder: string): Promise<void> {
  const existing = [...foldersUp(folder)].find((path) => existsSync(path)) ?? folder;
  const args = ["--literal-pathspecs", "ls-files", "-z", "--", relative(existing, folder) || "."];
  let tracked: string;
  try {
    ({ stdout: tracked } = await run("git", args, { cwd: existing, env: environment() }));
  } catch (failure) {
    const problem = problemOf(failure, existing);
    if (problem === undefined) return;
    throw new Error(
      `it is unknown whether a git repository contains the keys in ${folder}: ${problem}; ` +
        "choose a --folder outside of the repository, or correct this",
      { cause: failure },
    );
  }
  if (tracked === "") return;
  const above = dirname(folder);
  throw new Error(
    `a git repository contains keys in ${folder}, so everyone with a copy of it can sign with them; ` +
      `delete the folder ${above} and run \`git rm -r --cached ${above}\` to get new keys`,
  );
}

/** Variables such as GIT_DIR, which hooks have, would name another repository. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  return { ...Object.fromEntries(kept), LC_ALL: "C" };
}

/** The reason why git cannot list tracked files; undefined if there is no repository. */
function problemOf(failure: unknown, folder: string): string | undefined {
  if (hasCode(failure, "ENOENT")) {
    const isInRepository = [...foldersUp(folder)].some((path) => existsSync(join(path, ".git")));
    return isInRepository ? "git is not on PATH" : undefined;
  }
  const words = standardErrorOf(failure);
  return words.includes("not a git repository") ? undefined : words.slice(0, 500);
}

/** A folder and all above it. */
function* foldersUp(folder: string): Generator<string> {
  yield folder;
  if (dirname(folder) !== folder) yield* foldersUp(dirname(folder));
}

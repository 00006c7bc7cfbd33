import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Properties } from "../../core/json/plain-json";
import { ownPackage } from "../../core/process/package-root";
import { CommandError, ExitCode } from "../invocation/failure";
import type { Terraform } from "../terraform/terraform";

type Versioned = Pick<Terraform, "version">;

/** What saved plans are made from or, to be applied, must have been made from. Contains no secrets. */
export interface PlanOrigin {
  /** The version of this package. */
  readonly trivet: string;
  /** The program and its version, such as `Terraform 1.11.4`. */
  readonly terraform: string;
  /** The hash of the content of all committed files; empty if it is not known, undefined if it does not matter. */
  readonly tree?: string;
  /** The repository without scheme and user, such as `github.com/acme/stacks`; empty or undefined as above. */
  readonly repository?: string;
}

/** Returns what plans are made from here. */
export async function originHere(folder: string, terraform: Versioned): Promise<PlanOrigin> {
  const changes = await git(folder, "status", "--porcelain", "--untracked-files=no");
  const committed = await git(folder, "rev-parse", "--verify", "HEAD^{tree}");
  const tree = (changes === "" ? committed : undefined) ?? "";
  return { ...(await versions(folder, terraform)), tree, repository: await repositoryOf(folder) };
}

/**
 * Returns what plans must have been made from to be applied here.
 *
 * @param tree undefined if the code does not matter
 * @throws CommandError if it is not a hash
 */
export async function expectedOrigin(
  folder: string,
  terraform: Versioned,
  tree: string | undefined,
): Promise<PlanOrigin> {
  if (tree === undefined) return await versions(folder, terraform);
  if (/^(?:[\da-f]{40}|[\da-f]{64})$/.test(tree)) {
    const repository = await repositoryOf(folder);
    return { ...(await versions(folder, terraform)), tree, repository };
  }
  throw new CommandError(
    `--tree must be the full hash of a tree (got ${JSON.stringify(tree)}).`,
    "`git rev-parse 'HEAD^{tree}'` prints the one of the current commit.",
    ExitCode.usage,
  );
}

const names = {
  tree: "tree",
  repository: "repository",
  terraform: "program",
  trivet: "version of trivet",
} as const satisfies Record<keyof PlanOrigin, string>;

/**
 * @param saved the origin of the plans
 * @throws CommandError if it is not the expected one
 */
export function refuseOtherOrigin(folder: string, saved: Properties, expected: PlanOrigin): void {
  for (const name of ["tree", "repository", "terraform", "trivet"] as const) {
    const [found, wanted] = [saved[name], expected[name]];
    if (wanted === undefined || found === wanted) continue;
    const shown = (value: unknown) => (value === "" ? "unknown" : JSON.stringify(value ?? null));
    const hint = name === "tree" && found === "" ? " Some changes were not committed." : "";
    throw new CommandError(
      `The plans in ${folder} have another origin: their ${names[name]} is ${shown(found)}, but must be ${shown(wanted)}.${hint}`,
      "Run `trivet plan --out` again, with the same code and the same programs.",
      ExitCode.refused,
    );
  }
}

async function versions(folder: string, terraform: Versioned) {
  return { trivet: ownPackage().version, terraform: (await terraform.version(folder)) ?? "" };
}

/** Returns the address of the clone, without parts that could be secret. */
async function repositoryOf(folder: string): Promise<string> {
  const url = (await git(folder, "config", "--get", "remote.origin.url")) ?? "";
  const [, host, path] =
    /^(?:[a-z+]+:\/\/)?(?:[^/]*@)?([\w.-]+)(?::\d+)?[:/]+([^@?#\s]+?)(?:\.git)?\/*$/i.exec(url) ??
    [];
  return host === undefined || path === undefined ? "" : `${host}/${path}`;
}

const run = promisify(execFile);

/** Runs git. Returns undefined if it fails. */
async function git(folder: string, ...args: readonly string[]): Promise<string | undefined> {
  // Variables such as GIT_DIR, which git sets for hooks, would select another repository.
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  const env = { ...Object.fromEntries(kept), LC_ALL: "C" };
  const ended = await run("git", args, { cwd: folder, env, timeout: 60_000 }).catch(
    () => undefined,
  );
  return ended?.stdout.trim();
}

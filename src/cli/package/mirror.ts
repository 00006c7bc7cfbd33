import { stat } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { providerSource } from "../../core/construct/product/product";
import { systemErrorCode } from "../../core/process/system-error";
import type { CommandEnvironment } from "../invocation/command-environment";
import { CommandError } from "../invocation/failure";

/** The host in the source addresses of our providers. It deliberately does not exist. */
export const providerHost = "trivet.local";
/** The pattern for all providers of that host in Terraform's CLI configuration. */
export const providerPattern = `${providerHost}/*/*`;

/** Returns the folder of a mirror that contains all versions of a provider. */
export function providerFolder(mirror: string, name: string): string {
  return join(mirror, providerSource(name));
}

/** Returns the user's plugin folder, which Terraform and OpenTofu search by default. */
function pluginFolder({ env, home, platform }: CommandEnvironment): string {
  return platform === "win32"
    ? join(env["APPDATA"] ?? join(home, "AppData", "Roaming"), "terraform.d", "plugins")
    : join(home, ".terraform.d", "plugins");
}

/** Returns the mirror of a command as an absolute path: `--dir`, or otherwise the user's plugin folder. */
export function mirrorFolder(dir: string | undefined, around: CommandEnvironment): string {
  return dir === undefined ? pluginFolder(around) : resolve(around.workingFolder, dir);
}

/** Returns a mirror that only the commands for stacks search, so that `trivet plan` does not affect other commands. */
export function stackMirror({ env, home, platform }: CommandEnvironment): string {
  const chosen = platform === "win32" ? env["LOCALAPPDATA"] : env["XDG_CACHE_HOME"];
  const usual = platform === "darwin" ? join("Library", "Caches") : ".cache";
  const cache = chosen !== undefined && isAbsolute(chosen) ? chosen : join(home, usual);
  return join(cache, "trivet", "providers");
}

/**
 * Converts an error of the operating system about a mirror to a failure that the user can fix.
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

import { didYouMean } from "../../core/schema";
import { runtimes } from "../provider-package/compiled/runtime";
import { CommandError, ExitCode } from "../invocation/failure";
import { checkedPlatform } from "../package/platform";

/** The platforms of a release, by the content of their packages. */
export interface RequestedPlatforms {
  /** The bundle, which runs with Node.js. */
  readonly bundled: readonly string[];
  /** An executable, which needs no Node.js. */
  readonly compiled: readonly string[];
}

/** The platforms on which most people run Terraform. */
const usualPlatforms = ["darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64"];

/**
 * Reads the options `--platform` and `--compile`.
 *
 * @param platforms the values of `--platform`
 * @param compile the values of `--compile`; true without values, for all platforms
 * @throws CommandError if a platform does not exist, or cannot run such a package
 */
export function requestedPlatforms(
  platforms: readonly string[] | undefined,
  compile: readonly string[] | true | undefined,
): RequestedPlatforms {
  if (compile === true) {
    const all = platforms ?? [...runtimes.keys()];
    return { bundled: [], compiled: [...new Set(all.map(checkedForCompiling))] };
  }
  const compiled = new Set((compile ?? []).map(checkedForCompiling));
  const bundled = new Set((platforms ?? usualPlatforms).filter((each) => !compiled.has(each)));
  return { bundled: [...bundled].map(checkedForBundle), compiled: [...compiled] };
}

function checkedForCompiling(platform: string): string {
  if (runtimes.has(platform)) return platform;
  const known = [...runtimes.keys()];
  throw new CommandError(
    `A provider cannot be compiled for the platform ${JSON.stringify(platform)}${didYouMean(platform, known) || "."}`,
    `It can be compiled for: ${known.join(", ")}.`,
    ExitCode.usage,
  );
}

function checkedForBundle(platform: string): string {
  if (!platform.startsWith("windows_")) return checkedPlatform(platform);
  throw new CommandError(
    `The package for ${platform} must be compiled: otherwise it starts with a POSIX shell, which Terraform on Windows does not use.`,
    `Pass --compile ${[...runtimes.keys()].includes(platform) ? platform : "windows_amd64"}.`,
    ExitCode.usage,
  );
}

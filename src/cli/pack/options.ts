import { didYouMean } from "../../core/schema";
import { CommandError, ExitCode } from "../invocation/failure";
import { addressPartRule, isAddressPart, isProviderVersion } from "../package/built-package";
import { checkedPlatform } from "../package/platform";
import { runtimes } from "../provider-package/compiled/runtime-store";

/** The parts of a provider's source address. */
interface ProviderAddress {
  /** With its host, such as `registry.terraform.io/acme/notes`. */
  readonly source: string;
  /** Its last part, such as `notes`. */
  readonly name: string;
}

const hostLabel = /^(?=.{1,63}$)[a-z\d]+(?:-+[a-z\d]+)*$/;

/** A host is labels separated by dots, and an optional port. */
function isHost(text: string): boolean {
  const [, name = "", port] = /^([^:]{1,253})(?::(\d{1,5}))?$/.exec(text) ?? [];
  return name.split(".").every((label) => hostLabel.test(label)) && Number(port ?? 0) <= 65_535;
}

/** @throws CommandError if Terraform reserves the name of a provider */
function refuseReservedName(name: string): void {
  if (name !== "terraform" && !name.startsWith("terraform-")) return;
  throw new CommandError(
    `The provider's name is ${JSON.stringify(name)}, but Terraform reserves such names.`,
    "Leave out `terraform`: the name of the provider in terraform-provider-notes is notes.",
    ExitCode.usage,
  );
}

/**
 * Reads the source address of a provider. Without a host, it belongs to Terraform's public registry.
 *
 * @throws CommandError if Terraform would not accept it
 */
export function providerAddress(text: string): ProviderAddress {
  const parts = text.split("/");
  const [given, namespace = "", name = ""] =
    parts.length === 2 ? ["registry.terraform.io", ...parts] : parts;
  const isValid = (parts.length === 2 || parts.length === 3) && isHost(given ?? "");
  if (isValid && isAddressPart(namespace) && isAddressPart(name)) {
    refuseReservedName(name);
    return { source: `${given}/${namespace}/${name}`, name };
  }
  throw new CommandError(
    `The option --source has the value ${JSON.stringify(text)}, which is not a provider's source address.`,
    "It is HOST/NAMESPACE/NAME, such as example.com/acme/notes, or NAMESPACE/NAME in the public registry. " +
      `The namespace and the name are ${addressPartRule}.`,
    ExitCode.usage,
  );
}

/** @throws CommandError if the version of a provider is not a semantic version without build metadata */
export function checkedVersion(text: string): string {
  if (isProviderVersion(text)) return text;
  throw new CommandError(
    `The provider's version is ${JSON.stringify(text)}, which is not a semantic version.`,
    "Write MAJOR.MINOR.PATCH, such as 1.2.0 or 2.0.0-beta.1, with --provider-version or in package.json.",
    ExitCode.usage,
  );
}

/**
 * Checks the name of a provider. The types of its resources begin with it, so it begins with a letter.
 *
 * @throws CommandError if Terraform would not accept it
 */
export function checkedProviderName(name: string): string {
  if (!isAddressPart(name) || !/^[a-z]/.test(name)) {
    throw new CommandError(
      `The provider's name is ${JSON.stringify(name)}, which Terraform does not accept.`,
      `Write a name such as notes or acme-notes: ${addressPartRule}. It begins with a letter.`,
      ExitCode.usage,
    );
  }
  refuseReservedName(name);
  return name;
}

/** The platforms of a release. */
export interface RequestedPlatforms {
  /** Their package is a bundle, which needs Node.js. */
  readonly bundled: readonly string[];
  /** Their package is an executable. */
  readonly compiled: readonly string[];
}

/** The platforms on which most people run Terraform. */
const usualPlatforms = ["darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64"];

/**
 * Reads the options `--platform` and `--compile`.
 *
 * @param platforms the values of `--platform`
 * @param compile the values of `--compile`; true without values, for all platforms
 * @throws CommandError if a platform does not exist, or if no provider can run there
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
    `The package for ${platform} must be compiled. Terraform on Windows cannot start a bundle, which needs a POSIX shell.`,
    `Pass --compile ${runtimes.has(platform) ? platform : "windows_amd64"}.`,
    ExitCode.usage,
  );
}

import { CommandError, ExitCode } from "../invocation/failure";
import { addressPartRule, isAddressPart, isProviderVersion } from "../package/built-package";

/** The parts of a provider's source address. */
interface ProviderAddress {
  /** With its host, such as `registry.terraform.io/acme/notes`. */
  readonly source: string;
  /** Its last part, such as `notes`. */
  readonly name: string;
}

const hostLabel = /^(?=.{1,63}$)[a-z\d]+(?:-+[a-z\d]+)*$/;

/** Checks for labels separated by dots, and an optional port. */
function isHost(text: string): boolean {
  const [, name = "", port] = /^([^:]{1,253})(?::(\d{1,5}))?$/.exec(text) ?? [];
  return name.split(".").every((label) => hostLabel.test(label)) && Number(port ?? 0) <= 65_535;
}

/**
 * Checks that Terraform does not reserve the name of a provider.
 *
 * @throws CommandError if it does
 */
function refuseReservedName(name: string): void {
  if (name !== "terraform" && !name.startsWith("terraform-")) return;
  throw new CommandError(
    `The provider's name is ${JSON.stringify(name)}, but Terraform keeps such names for itself.`,
    "Leave out `terraform`: the provider in terraform-provider-notes is called notes.",
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

/**
 * Checks the version of a provider.
 *
 * @throws CommandError if it is not a semantic version, without build metadata
 */
export function checkedVersion(text: string): string {
  if (isProviderVersion(text)) return text;
  throw new CommandError(
    `The provider's version is ${JSON.stringify(text)}, which is not a semantic version.`,
    "Write MAJOR.MINOR.PATCH, such as 1.2.0 or 2.0.0-beta.1, with --provider-version or in package.json.",
    ExitCode.usage,
  );
}

/**
 * Checks the name of a provider, which is the prefix of its resources. Terraform's identifiers begin with a
 * letter.
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

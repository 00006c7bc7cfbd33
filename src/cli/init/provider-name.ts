import { CommandError } from "../invocation/command-error";
import { ExitCode } from "../invocation/exit-code";
import { refuseReservedName } from "../pack/provider-address";
import { addressPartRule, isAddressPart } from "../package/provider-name";

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

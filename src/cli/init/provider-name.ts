import { CommandError } from "../invocation/command-error";
import { ExitCode } from "../invocation/exit-code";

/** Terraform's identifiers begin with a letter, and its addresses have no two hyphens in a row. */
const pattern = /^(?=.{1,63}$)[a-z](?:-?[a-z\d])*$/;

/**
 * Checks the name of a provider.
 *
 * @throws CommandError if Terraform would not accept it
 */
export function checkedProviderName(name: string): string {
  if (!pattern.test(name)) {
    throw new CommandError(
      `The provider's name is ${JSON.stringify(name)}, which Terraform does not accept.`,
      "Write 1 to 63 lowercase letters, digits and hyphens, such as notes or acme-notes. It begins with a " +
        "letter, does not end with a hyphen, and has no two hyphens in a row.",
      ExitCode.usage,
    );
  }
  if (name === "terraform" || name.startsWith("terraform-")) {
    throw new CommandError(
      `The provider's name is ${JSON.stringify(name)}, but Terraform keeps such names for itself.`,
      "Leave out `terraform`: the provider in terraform-provider-notes is called notes.",
      ExitCode.usage,
    );
  }
  return name;
}

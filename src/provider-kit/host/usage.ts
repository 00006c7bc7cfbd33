/** Who a provider is. */
export interface ProviderIdentity {
  /** The last part of its address, such as `ids`. */
  readonly name: string;
  readonly version: string;
  /** Its address in a configuration, such as `trivet.local/trivet/ids`. */
  readonly source: string;
}

/** One line, as `--version` prints it. */
export function versionText({ name, version }: ProviderIdentity): string {
  return `terraform-provider-${name} ${version}\n`;
}

/** What the program is and how one uses it, for people who run it by hand. */
export function usageText(identity: ProviderIdentity): string {
  const { name, source, version } = identity;
  return `${versionText(identity)}
This is a Terraform provider. Terraform and OpenTofu start it themselves; there is
nothing to run by hand.

To use it, name it in a configuration:

    terraform {
      required_providers {
        ${name} = {
          source  = "${source}"
          version = "${version}"
        }
      }
    }

"terraform init" finds it under this path of a plugin folder, such as
~/.terraform.d/plugins or a filesystem_mirror of the CLI configuration:

    ${source}/${version}/OS_ARCH/terraform-provider-${name}_v${version}

Options:
    --reattach   serve until Ctrl-C and print the TF_REATTACH_PROVIDERS that makes
                 Terraform use this process: for development
    --version    print the version
    --help       print this text
`;
}

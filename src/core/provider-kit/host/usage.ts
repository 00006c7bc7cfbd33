/** The name, version and source address of a provider. */
export interface ProviderIdentity {
  /** The last part of its source address, such as `ids`. */
  readonly name: string;
  readonly version: string;
  /** Its source address in a configuration, such as `trivet.local/trivet/ids`. */
  readonly source: string;
}

/** The line that `--version` prints. */
export function versionText({ name, version }: ProviderIdentity): string {
  return `terraform-provider-${name} ${version}\n`;
}

/** Returns the text that `--help` prints. */
export function usageText(identity: ProviderIdentity): string {
  const { name, source, version } = identity;
  return `${versionText(identity)}
This is a Terraform provider. Terraform and OpenTofu start it automatically. You do not
need to run it yourself.

To use it, add it to a configuration:

    terraform {
      required_providers {
        ${name} = {
          source  = "${source}"
          version = "${version}"
        }
      }
    }

"terraform init" finds it at this path in a plugin folder, such as
~/.terraform.d/plugins or a filesystem_mirror in the CLI configuration:

    ${source}/${version}/OS_ARCH/terraform-provider-${name}_v${version}

Options:
    --reattach serve until Ctrl-C, and print the TF_REATTACH_PROVIDERS that makes
                 Terraform use this process (for development)
    --warm       the same for \`trivet exec --warm\`, until standard input is closed
                 and no client is connected
    --version    print the version
    --help       print this text
`;
}

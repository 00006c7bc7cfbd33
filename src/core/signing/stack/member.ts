import { TerraformDataSource, TerraformProvider, TerraformResource } from "cdktf";
import { isToken, type StackMember } from "../../construct";

export const isA = ({ type }: StackMember, terraformType: string): boolean =>
  type.declaration.type === terraformType;

/** A literal string of the stack; undefined if it is not set or known only to Terraform. */
export function literalOf({ values }: StackMember, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" && !isToken(value) ? value : undefined;
}

/** The provider that a construct uses; undefined if the stack does not contain it. */
export function providerOf(
  { construct: { resource } }: StackMember,
  members: readonly StackMember[],
): StackMember | undefined {
  const isElement =
    TerraformResource.isTerraformResource(resource) ||
    TerraformDataSource.isTerraformDataSource(resource);
  const chosen = isElement ? resource.provider : undefined;
  return members.find(({ construct: { resource: provider } }) => {
    if (!TerraformProvider.isTerraformProvider(provider)) return false;
    return chosen === undefined ? provider.alias === undefined : provider === chosen;
  });
}

/** The signature format that a construct uses; undefined if only Terraform knows it. */
export function formatOf(
  member: StackMember,
  provider: StackMember | undefined,
): string | undefined {
  if ((member.values["signatureFormat"] ?? null) !== null) {
    return literalOf(member, "signatureFormat");
  }
  if (provider === undefined) return undefined;
  const value = provider.values["defaultSignatureFormat"] ?? null;
  return value === null ? "legacy" : literalOf(provider, "defaultSignatureFormat");
}

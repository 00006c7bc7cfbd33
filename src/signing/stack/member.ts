import { TerraformDataSource, TerraformProvider, TerraformResource } from "cdktf";
import { isToken, type StackMember } from "../../construct";

/** Whether a construct is of a type of ours. */
export const isA = ({ type }: StackMember, terraformType: string): boolean =>
  type.declaration.type === terraformType;

/** A value that is written in the stack; undefined for what only Terraform knows, and for nothing. */
export function literalOf({ values }: StackMember, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" && !isToken(value) ? value : undefined;
}

/** The settings that a construct works with; undefined when its provider is none of the stack's. */
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

/** The format that is in force for a construct; undefined when only Terraform knows. */
export function formatOf(
  member: StackMember,
  provider: StackMember | undefined,
): string | undefined {
  if ((member.values["signatureFormat"] ?? null) !== null) {
    return literalOf(member, "signatureFormat");
  }
  if (provider === undefined) return undefined;
  const given = provider.values["defaultSignatureFormat"] ?? null;
  return given === null ? "legacy" : literalOf(provider, "defaultSignatureFormat");
}

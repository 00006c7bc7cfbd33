import { type PlaceholderOwner, placeholderOwner } from "../state/placeholder-facts";
import type { PreviewOwner } from "./preview";

/** Returns the owner of a preview, with placeholders for missing data. */
export function previewOwner({ name, ...given }: PreviewOwner = { name: "dev" }): PlaceholderOwner {
  const placeholder = placeholderOwner("preview", name);
  const { rbacRoles } = given;
  return {
    ...placeholder,
    id: given.id ?? placeholder.id,
    fullName: given.fullName ?? placeholder.fullName,
    email: given.email ?? placeholder.email,
    loginType: given.loginType ?? placeholder.loginType,
    groups: given.groups ?? placeholder.groups,
    sshPublicKey: given.sshPublicKey ?? placeholder.sshPublicKey,
    rbacRoles:
      rbacRoles?.map((role) => ({ name: role.name, org_id: role.orgId })) ?? placeholder.rbacRoles,
  };
}

import { TerraformProvider } from "cdktf";
import type { StackMember } from "../../construct";
import type { Declaration } from "../../schema";

const slice = "workspace";

/** What stands before the types of the member's product: `workspace_`. */
export function prefixOf({ construct, type }: StackMember): string {
  const { resource } = construct;
  const own = TerraformProvider.isTerraformProvider(resource)
    ? `${resource.terraformResourceType}_`
    : resource.terraformResourceType;
  const rest = type.declaration.type.length - slice.length - 1;
  return rest > 0 ? own.slice(0, -rest) : own;
}

/** What the type of another declaration is called in the member's product. */
export function typeBeside(member: StackMember, { type }: Declaration): string {
  return prefixOf(member) + type.slice(slice.length + 1);
}

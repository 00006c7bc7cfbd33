import { TerraformProvider } from "cdktf";
import type { StackMember } from "../../construct";

/**
 * The declared types that rules across a template tell apart. They are named here instead of imported,
 * because the rooms of these types import the rules.
 */
export const ruledTypes = [
  "workspace_agent",
  "workspace_ai_task",
  "workspace_app",
  "workspace_devcontainer",
  "workspace_env",
  "workspace_external_agent",
  "workspace_metadata",
  "workspace_parameter",
  "workspace_task",
  "workspace_workspace_preset",
] as const;

/** One of {@link ruledTypes}. */
export type RuledType = (typeof ruledTypes)[number];

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

/** Whether a member is a construct of a declared type. */
export const isOf = ({ type }: StackMember, declared: RuledType): boolean =>
  type.declaration.type === declared;

/** What another declared type is called in the member's product. */
export function typeBeside(member: StackMember, type: RuledType): string {
  return prefixOf(member) + type.slice(slice.length + 1);
}

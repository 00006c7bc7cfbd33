import { productOf, type StackMember } from "../../construct";

/**
 * The declared types that rules of a whole template distinguish. They are listed here instead of
 * imported, because the folders of these types import the rules.
 */
export const ruledTypes = [
  "workspace_agent",
  "workspace_ai_task",
  "workspace_app",
  "workspace_devcontainer",
  "workspace_env",
  "workspace_external_agent",
  "workspace_external_auth",
  "workspace_metadata",
  "workspace_parameter",
  "workspace_script",
  "workspace_script_order",
  "workspace_task",
  "workspace_workspace_owner",
  "workspace_workspace_preset",
  "workspace_workspace_tags",
] as const;

/** One of {@link ruledTypes}. */
export type RuledType = (typeof ruledTypes)[number];

const slice = "workspace";

/** Returns the prefix of types in the member's product, such as `workspace_`. */
export const prefixOf = ({ construct }: StackMember): string =>
  `${productOf(construct, slice).providers[slice]?.typePrefix ?? slice}_`;

export const isOf = ({ type }: StackMember, declared: RuledType): boolean =>
  type.declaration.type === declared;

/** Returns the name of another declared type in the member's product. */
export function siblingType(member: StackMember, type: RuledType): string {
  return prefixOf(member) + type.slice(slice.length + 1);
}

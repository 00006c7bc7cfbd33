import type { StackFinding, StackMember } from "../../construct";
import { presenceOf, Taken } from "../template/presence";
import { uniqueValues } from "../template/unique-values";

/** Requires unique names, because users choose presets by name. */
export const uniquePresetNames = uniqueValues({ attribute: "name", where: "in the template" });

/** Allows only one preselected preset. */
export function* oneDefaultPreset(members: readonly StackMember[]): Generator<StackFinding> {
  const taken = new Taken();
  for (const member of members) {
    if (member.values["default"] !== true) continue;
    const { construct } = member;
    const presence = presenceOf(member);
    const earlier = taken.take("default", presence, construct.node.path);
    const other = earlier ?? ((presence.instances ?? 1) > 1 ? "another instance" : undefined);
    if (other === undefined) continue;
    yield {
      construct,
      finding: {
        code: "DUPLICATE",
        severity: "error",
        path: ["default"],
        message: `must be true for only one preset, but is already true for ${other}`,
      },
    };
  }
}

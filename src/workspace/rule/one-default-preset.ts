import type { StackFinding, StackMember } from "../../construct";
import { presenceOf, Taken } from "./presence";

/** At most one preset is preselected. */
export function* oneDefaultPreset(members: readonly StackMember[]): Generator<StackFinding> {
  const taken = new Taken();
  for (const member of members) {
    if (member.values["default"] !== true) continue;
    const { construct } = member;
    const other = taken.take("default", presenceOf(member), construct.node.path);
    if (other === undefined) continue;
    yield {
      construct,
      finding: {
        code: "DUPLICATE",
        severity: "error",
        path: ["default"],
        message: `must be true for one preset only, and is for ${other} already`,
      },
    };
  }
}

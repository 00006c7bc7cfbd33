import { TerraformResource } from "cdktf";
import type { Finding } from "../../schema";
import type { StackFinding, StackMember } from "../../construct";
import { presenceOf, Taken } from "../template/presence";

const form = /^[a-z\d](-?[a-z\d])*$/i;

/**
 * The platform takes an agent's name from Terraform, refuses others than host names, and two of one
 * name, also when they are instances of one resource.
 */
export function* agentNames(members: readonly StackMember[]): Generator<StackFinding> {
  const taken = new Taken<{ readonly name: string; readonly path: string }>();
  for (const member of members) {
    const { construct } = member;
    if (!TerraformResource.isTerraformResource(construct.resource)) continue;
    const name = construct.resource.friendlyUniqueId;
    const got = JSON.stringify(name);
    if (!form.test(name)) {
      yield {
        construct,
        finding: broken(
          "INVALID_ARGUMENT",
          [],
          `is the agent ${got} on the platform, where a name has letters, digits and single hyphens between them: choose another construct id, or call overrideLogicalId`,
        ),
      };
      continue;
    }
    const presence = presenceOf(member);
    const { instances = 1 } = presence;
    if (instances > 1) {
      yield {
        construct,
        finding: broken(
          "DUPLICATE",
          ["count"],
          `must be at most 1: all instances would be the agent ${got} on the platform (got ${instances})`,
        ),
      };
    }
    const other = taken.take(name.toLowerCase(), presence, { name, path: construct.node.path });
    // Those of the very same name are one resource in Terraform, which is found without this rule.
    if (other === undefined || other.name === name) continue;
    yield {
      construct,
      finding: broken(
        "DUPLICATE",
        [],
        `is the agent ${got} on the platform, as ${other.path} is, since letters' case does not count: choose another construct id, or call overrideLogicalId`,
      ),
    };
  }
}

const broken = (code: Finding["code"], path: Finding["path"], message: string): Finding => ({
  code,
  severity: "error",
  path,
  message,
});

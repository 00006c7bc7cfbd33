import { TerraformResource, TerraformModule } from "cdktf";
import type { StackFinding, StackMember, StackContext } from "../../construct";
import type { Finding } from "../../schema";
import { dependenciesIn } from "../template/dependencies";
import { presenceOf, Taken } from "../template/presence";
import { isOf, prefixOf, typeBeside } from "../template/terraform-type";

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

/** The platform drops an agent on which no resource of another provider depends, with all its parts. */
export function* agentOwner(
  members: readonly StackMember[],
  context: StackContext,
): Generator<StackFinding> {
  const agents = members.filter((member) => isOf(member, "workspace_agent"));
  const [first] = agents;
  if (first === undefined) return;
  const graph = context.references();
  const prefix = prefixOf(first);
  const external = typeBeside(first, "workspace_external_agent");
  const owners: string[] = [];
  for (const { element, address } of graph.elements) {
    if (TerraformResource.isTerraformResource(element)) {
      const type = element.terraformResourceType;
      if (!type.startsWith(prefix) || type === external) owners.push(address);
      // What is in a module is not seen: there may be a machine.
    } else if (element instanceof TerraformModule) owners.push(address);
  }
  const owned = dependenciesIn(graph).from(owners);
  for (const member of agents) {
    const { construct } = member;
    const entry = graph.of(construct);
    if (entry === undefined || owned.has(entry.address)) continue;
    if (presenceOf(member).instances === 0) continue;
    yield {
      construct,
      finding: {
        code: "ADVICE",
        severity: "warning",
        path: [],
        message:
          "is dropped by the platform, with its apps, variables and scripts, because no resource of another provider depends on it: use its token or initScript in the machine on which it runs, or add an ExternalAgent",
      },
    };
  }
}

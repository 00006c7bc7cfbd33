import { TerraformModule, TerraformResource } from "cdktf";
import type { StackContext, StackFinding, StackMember } from "../../construct";
import { dependenciesIn } from "../template/dependencies";
import { presenceOf } from "../template/presence";
import { isOf, prefixOf, typeBeside } from "../template/terraform-type";

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

import { TerraformResource, TerraformModule } from "cdktf";
import type { StackFinding, StackMember, StackContext } from "../../construct";
import { type Finding, warning } from "../../schema";
import { contentOf } from "../template/module-content";
import { dependenciesIn } from "../template/dependencies";
import { presenceOf, Taken } from "../template/presence";
import { withVersion } from "../product/platform-versions";
import { longestName, tooLongName } from "../product/coder-limits";
import { isOf, prefixOf, siblingType } from "../template/terraform-type";

const dropped = warning(
  "agent-dropped",
  "no resource of another provider depends on an agent, so the platform drops it with all its parts",
);

const agentName = /^[a-z\d](-?[a-z\d])*$/i;

/**
 * Checks the names of agents, which the platform takes from Terraform. A name must be a valid host name, and
 * no two agents may have the same name, including instances of one resource.
 */
export function* agentNames(members: readonly StackMember[]): Generator<StackFinding> {
  const taken = new Taken<{ readonly name: string; readonly path: string }>();
  for (const member of members) {
    const { construct } = member;
    if (!TerraformResource.isTerraformResource(construct.resource)) continue;
    const name = construct.resource.friendlyUniqueId;
    const got = JSON.stringify(name);
    if (!agentName.test(name)) {
      yield broken(
        member,
        "INVALID_ARGUMENT",
        `would be the agent ${got} on the platform: agent names must consist of letters, digits and single hyphens, with no hyphen at the start or end. Choose another construct ID, or call overrideLogicalId`,
      );
      continue;
    }
    if (name.length > longestName) {
      const message = withVersion(tooLongName(name, "agent"), "nameLength");
      yield broken(member, "INVALID_ARGUMENT", message);
    }
    const presence = presenceOf(member);
    const { instances = 1 } = presence;
    if (instances > 1) {
      const message = `must be at most 1: every instance would be the agent ${got} on the platform (got ${instances})`;
      yield broken(member, "DUPLICATE", message, ["count"]);
    }
    const other = taken.take(name.toLowerCase(), presence, { name, path: construct.node.path });
    // cdktf itself reports two resources with exactly the same name.
    if (other === undefined || other.name === name) continue;
    yield broken(
      member,
      "DUPLICATE",
      `would be the agent ${got} on the platform, the same as ${other.path}: agent names are case-insensitive. Choose another construct ID, or call overrideLogicalId`,
    );
  }
}

const broken = (
  { construct }: StackMember,
  code: Finding["code"],
  message: string,
  path: Finding["path"] = [],
): StackFinding => ({ construct, finding: { code, severity: "error", path, message } });

/** Warns of an agent that the platform drops because no resource of another provider depends on it. */
export function* agentOwner(
  members: readonly StackMember[],
  context: StackContext,
): Generator<StackFinding> {
  const agents = members.filter((member) => isOf(member, "workspace_agent"));
  const [first] = agents;
  if (first === undefined) return;
  const graph = context.references();
  const prefix = prefixOf(first);
  const external = siblingType(first, "workspace_external_agent");
  const owners: string[] = [];
  for (const { element, address } of graph.elements) {
    if (TerraformResource.isTerraformResource(element)) {
      const type = element.terraformResourceType;
      if (!type.startsWith(prefix) || type === external) owners.push(address);
    } else if (element instanceof TerraformModule && mayHaveMachine(element, prefix)) {
      owners.push(address);
    }
  }
  const owned = dependenciesIn(graph).from(owners);
  for (const member of agents) {
    const { construct } = member;
    const entry = graph.of(construct);
    if (entry === undefined || owned.has(entry.address)) continue;
    if (presenceOf(member).instances === 0) continue;
    yield {
      construct,
      finding: dropped.at(
        [],
        "is dropped by the platform with its apps, variables and scripts, because no resource of another provider depends on it: use its token or initScript in the machine that it runs on, or add an ExternalAgent",
      ),
    };
  }
}

/** Checks whether a module may contain the machine: its content is unknown, or has something of another provider. */
function mayHaveMachine(module: TerraformModule, prefix: string): boolean {
  const { parts = [], calls } = contentOf(module) ?? {};
  return calls?.length !== 0 || parts.some(({ type }) => !type.startsWith(prefix));
}

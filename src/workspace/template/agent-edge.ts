import type { ElementReferences, StackContext, StackFinding, StackMember } from "../../construct";
import { agentOfPart } from "./agent-of-part";
import { dependenciesIn } from "./dependencies";
import { siblingType } from "./terraform-type";

/**
 * During the plan, when IDs are unknown, the platform attaches apps, variables, scripts and dev
 * containers to agents by the edges of Terraform's graph. An edge is missing if the reference to the
 * agent is indirect, or if the part depends on something else that depends on the agent.
 */
export function* agentEdge(
  members: readonly StackMember[],
  context: StackContext,
): Generator<StackFinding> {
  if (members.length === 0) return;
  const graph = context.references();
  for (const part of members) {
    const entry = graph.of(part.construct);
    if (entry === undefined) continue;
    const named = agentOfPart(part, context);
    if (named !== undefined && named.stack !== context.stack) continue;
    const direct = named?.address ?? agentAmong(entry, `${siblingType(part, "workspace_agent")}.`);
    if (direct === undefined) {
      yield advice(
        part,
        "should refer directly to the agentId of an agent in this stack: during the plan, the platform finds the agent only by that reference",
      );
      continue;
    }
    const detour = dependenciesIn(graph).detour(entry, direct);
    if (detour === undefined) continue;
    yield advice(
      part,
      `is lost during the plan, because ${entry.address} also depends on ${detour}, which in turn depends on ${direct}: use a value that does not depend on the agent`,
    );
  }
}

function agentAmong({ references }: ElementReferences, prefix: string): string | undefined {
  for (const address of references) if (address.startsWith(prefix)) return address;
  return undefined;
}

const advice = ({ construct }: StackMember, message: string): StackFinding => ({
  construct,
  finding: { code: "ADVICE", severity: "warning", path: ["agentId"], message },
});

import type { ElementReferences, StackContext, StackFinding, StackMember } from "../../construct";
import { agentOfPart } from "./agent-of-part";
import { dependenciesIn } from "./dependencies";
import { typeBeside } from "./terraform-type";

/**
 * Before there are IDs, the platform ties apps, variables, scripts and dev containers to agents by the
 * edges of Terraform's graph. One is missing where the agent is named through something in between,
 * and where the part depends on something else that depends on the agent.
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
    const direct = named?.address ?? agentAmong(entry, `${typeBeside(part, "workspace_agent")}.`);
    if (direct === undefined) {
      yield advice(
        part,
        "should be the agentId of an agent in this stack itself, with nothing in between: while planning, the platform finds the agent by that reference alone",
      );
      continue;
    }
    const detour = dependenciesIn(graph).detour(entry, direct);
    if (detour === undefined) continue;
    yield advice(
      part,
      `is lost while planning, because ${entry.address} also depends on ${detour}, which itself depends on ${direct}: take that value from something that does not depend on the agent`,
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

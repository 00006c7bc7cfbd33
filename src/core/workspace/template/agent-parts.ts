import type { TerraformStack } from "cdktf";
import {
  referencesIn,
  type StackContext,
  type StackMember,
  type StackFinding,
  type ElementReferences,
} from "../../construct";
import { type Warning, warning } from "../../schema";
import { platformRules } from "../product/platform-versions";
import { olderPlatform } from "./platform-facts";
import { type RuledType, siblingType } from "./terraform-type";
import { dependenciesIn } from "./dependencies";

const indirect = warning(
  "agent-part-indirect",
  "a part of an agent does not refer to it directly, so the platform does not find the agent during the plan",
);
const lost = warning(
  "agent-part-lost",
  "a part of an agent also depends on something that depends on the agent, and is lost during the plan",
);

const inner = warning(
  "agent-part-inner",
  "a part belongs to the agent inside a dev container, and an older platform drops it",
);

interface AgentOfPart {
  readonly address: string;
  readonly stack: TerraformStack;
}

/** Results by member. Each validation creates new members. */
const known = new WeakMap<StackMember, { readonly agent: AgentOfPart | undefined }>();

/** Returns the agent that the `agentId` of a part refers to; undefined if it refers to none. */
export function agentOfPart(part: StackMember, context: StackContext): AgentOfPart | undefined {
  let found = known.get(part);
  if (found === undefined) {
    found = { agent: findAgent(part, context) };
    known.set(part, found);
  }
  return found.agent;
}

function findAgent(part: StackMember, context: StackContext): AgentOfPart | undefined {
  const found = refersTo(part, "workspace_agent");
  return found && { address: found.address, stack: found.stack ?? context.stack };
}

/** Returns the resource of a type that the `agentId` of a part refers to. */
function refersTo(part: StackMember, type: RuledType) {
  const prefix = `${siblingType(part, type)}.`;
  const references = [...referencesIn(part.construct, part.values["agentId"])];
  return references.find(({ address }) => address.startsWith(prefix));
}

/**
 * Requires that the parts of an agent are in the agent's stack, because each stack is a separate template.
 */
export function* agentInStack(
  members: readonly StackMember[],
  context: StackContext,
): Generator<StackFinding> {
  for (const part of members) {
    const found = agentOfPart(part, context);
    if (found === undefined || found.stack === context.stack) continue;
    yield {
      construct: part.construct,
      finding: {
        code: "INVALID_ARGUMENT",
        severity: "error",
        path: ["agentId"],
        message: `must be the ID of an agent in this stack, but ${found.address} is in ${found.stack.node.path}: each stack is a separate template`,
      },
    };
  }
}

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
      if (refersTo(part, "workspace_devcontainer") !== undefined) {
        const older = olderPlatform(context, "innerParts");
        const message = `is dropped by version ${older} of the platform, which needs version ${platformRules.innerParts.since} for parts of the agent inside a dev container`;
        if (older !== undefined) yield advice(part, inner, message);
        continue;
      }
      yield advice(
        part,
        indirect,
        "should refer directly to the agentId of an agent in this stack: during the plan, the platform finds the agent only by that reference",
      );
      continue;
    }
    const detour = dependenciesIn(graph).detour(entry, direct);
    if (detour === undefined) continue;
    yield advice(
      part,
      lost,
      `is lost during the plan, because ${entry.address} also depends on ${detour}, which in turn depends on ${direct}: use a value that does not depend on the agent`,
    );
  }
}

function agentAmong({ references }: ElementReferences, prefix: string): string | undefined {
  for (const address of references) if (address.startsWith(prefix)) return address;
  return undefined;
}

const advice = ({ construct }: StackMember, { at }: Warning, message: string): StackFinding => ({
  construct,
  finding: at(["agentId"], message),
});

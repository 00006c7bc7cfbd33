import type { TerraformStack } from "cdktf";
import { referencesIn, type StackContext, type StackMember } from "../../construct";
import { siblingType } from "./terraform-type";

/** The agent that a part (an app, a variable, a script) refers to. */
interface AgentOfPart {
  readonly address: string;
  /** The stack that contains the agent. */
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
  const prefix = `${siblingType(part, "workspace_agent")}.`;
  for (const { address, stack } of referencesIn(part.construct, part.values["agentId"])) {
    if (address.startsWith(prefix)) return { address, stack: stack ?? context.stack };
  }
  return undefined;
}

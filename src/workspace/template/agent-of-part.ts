import type { TerraformStack } from "cdktf";
import { referencesIn, type StackContext, type StackMember } from "../../construct";
import { typeBeside } from "./terraform-type";

/** The agent that a part of one (an app, a variable, a script) names. */
export interface AgentOfPart {
  readonly address: string;
  /** Where it stands. */
  readonly stack: TerraformStack;
}

/** Members are made anew for each validation. */
const known = new WeakMap<StackMember, { readonly agent: AgentOfPart | undefined }>();

/** The agent to which the `agentId` of a part refers itself; undefined when it refers to none. */
export function agentOfPart(part: StackMember, context: StackContext): AgentOfPart | undefined {
  let found = known.get(part);
  if (found === undefined) {
    found = { agent: findAgent(part, context) };
    known.set(part, found);
  }
  return found.agent;
}

function findAgent(part: StackMember, context: StackContext): AgentOfPart | undefined {
  const prefix = `${typeBeside(part, "workspace_agent")}.`;
  for (const { address, stack } of referencesIn(part.construct, part.values["agentId"])) {
    if (address.startsWith(prefix)) return { address, stack: stack ?? context.stack };
  }
  return undefined;
}

import { agentInStack } from "../template/agent-parts";
import { AgentInstanceBase } from "./generated";

/**
 * The virtual machine of an agent that authenticates with an instance identity.
 *
 * For several kinds of virtual machines the platform finds the ID without this resource.
 */
export class AgentInstance extends AgentInstanceBase {
  protected static override readonly stackRules = [agentInStack];
}

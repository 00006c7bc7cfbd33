import { agentInStack, agentEdge } from "../template/agent-parts";
import { platformRequirement } from "../template/platform-requirements";
import { DevcontainerBase } from "./generated";

/**
 * A dev container that an agent starts. It runs its own agent inside.
 *
 * Needs version 2.21 of the platform.
 */
export class Devcontainer extends DevcontainerBase {
  protected static override readonly stackRules = [agentInStack, agentEdge, platformRequirement];
}

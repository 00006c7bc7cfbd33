import { agentInStack } from "../template/agent-parts";
import { platformRequirement } from "../template/platform-requirements";
import { ExternalAgentBase } from "./generated";

/**
 * Marks an agent as running on a machine that the template does not create.
 *
 * Needs a premium licence of the platform.
 */
export class ExternalAgent extends ExternalAgentBase {
  protected static override readonly stackRules = [agentInStack, platformRequirement];
}

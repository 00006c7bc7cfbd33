import type { Construct } from "constructs";
import { ExternalAgent as ExternalAgentBinding } from "../../../../bindings/providers/workspace/external-agent";
import type { ConstructType } from "../../construct";
import { externalAgent } from "./declare";
import { agentInStack } from "../template/agent-parts";
import { platformRequirement } from "../template/platform-requirements";
import { ExternalAgentBase, type ExternalAgentProps } from "./generated";

const type: ConstructType = {
  name: "workspace.ExternalAgent",
  declaration: externalAgent,
  stackRules: [agentInStack, platformRequirement],
};

/**
 * Marks an agent as running on a machine that the template does not create.
 *
 * Needs a premium licence of the platform.
 */
export class ExternalAgent extends ExternalAgentBase<ExternalAgentProps> {
  constructor(scope: Construct, id: string, props: ExternalAgentProps) {
    super(scope, id, type, props, (...given) => new ExternalAgentBinding(...given));
  }
}

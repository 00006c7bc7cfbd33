import type { Construct } from "constructs";
import { AgentInstance as AgentInstanceBinding } from "../../../../bindings/providers/workspace/agent-instance";
import type { ConstructType } from "../../construct";
import { agentInstance } from "./declare";
import { agentInStack } from "../template/agent-parts";
import { AgentInstanceBase, type AgentInstanceProps } from "./generated";

const type: ConstructType = {
  name: "workspace.AgentInstance",
  declaration: agentInstance,
  stackRules: [agentInStack],
};

/**
 * The virtual machine of an agent that authenticates with an instance identity.
 *
 * For several kinds of virtual machines the platform finds the ID without this resource.
 */
export class AgentInstance extends AgentInstanceBase<AgentInstanceProps> {
  constructor(scope: Construct, id: string, props: AgentInstanceProps) {
    super(scope, id, type, props, (...given) => new AgentInstanceBinding(...given));
  }
}

import type { Construct } from "constructs";
import { Devcontainer as DevcontainerBinding } from "../../../../bindings/providers/workspace/devcontainer";
import type { ConstructType } from "../../construct";
import { devcontainer } from "./declare";
import { agentInStack, agentEdge } from "../template/agent-parts";
import { platformRequirement } from "../template/platform-requirements";
import { DevcontainerBase, type DevcontainerProps } from "./generated";

const type: ConstructType = {
  name: "workspace.Devcontainer",
  declaration: devcontainer,
  stackRules: [agentInStack, agentEdge, platformRequirement],
};

/**
 * A dev container that an agent starts. It runs its own agent inside.
 *
 * Needs version 2.21 of the platform.
 */
export class Devcontainer extends DevcontainerBase<DevcontainerProps> {
  constructor(scope: Construct, id: string, props: DevcontainerProps) {
    super(scope, id, type, props, (...given) => new DevcontainerBinding(...given));
  }
}

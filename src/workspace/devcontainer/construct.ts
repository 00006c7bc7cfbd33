import type { Construct } from "constructs";
import { Devcontainer as DevcontainerBinding } from "../../../bindings/providers/workspace/devcontainer";
import { product, ResourceConstruct, type ConstructType } from "../../construct";
import { devcontainer } from "./declare";
import { agentInStack, agentEdge } from "../template/agent-parts";
import { platformRequirement } from "../template/platform-requirements";
import type { DevcontainerProps } from "./props";

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
export class Devcontainer extends ResourceConstruct<DevcontainerBinding, DevcontainerProps> {
  /** Name of the resource type, the same for all products. */
  static readonly typeToken = `${product.name}:workspace/v1:Devcontainer`;

  constructor(scope: Construct, id: string, props: DevcontainerProps) {
    super(scope, id, type, props, (...given) => new DevcontainerBinding(...given));
  }

  /** ID of the agent that starts the dev container. */
  get agentId(): string {
    return this.resource.agentId;
  }

  /** Folder in the workspace that contains the dev container's configuration. */
  get workspaceFolder(): string {
    return this.resource.workspaceFolder;
  }

  /** Path of the dev container's configuration file. */
  get configPath(): string {
    return this.resource.configPath;
  }

  /** ID of the resource. */
  get devcontainerId(): string {
    return this.resource.id;
  }

  /** ID of the agent inside the dev container. */
  get subagentId(): string {
    return this.resource.subagentId;
  }
}

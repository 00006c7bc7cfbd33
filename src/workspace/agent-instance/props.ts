import type { MetaArguments } from "../../construct";

/** The properties of an {@link AgentInstance}. */
export interface AgentInstanceProps extends MetaArguments {
  /**
   * ID of the agent. Pass the agent's `agentId` directly: the platform follows this reference.
   *
   * A change replaces the resource.
   */
  readonly agentId: string;
  /** ID that the cloud assigns to the virtual machine. */
  readonly instanceId: string;
}

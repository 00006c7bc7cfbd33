import type { MetaArguments } from "../../construct";

/** The properties of an {@link ExternalAgent}. */
export interface ExternalAgentProps extends MetaArguments {
  /**
   * ID of the agent. Pass the agent's `agentId` directly: the platform follows this reference.
   *
   * A change replaces the resource.
   */
  readonly agentId: string;
}

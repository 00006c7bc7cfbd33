import type { MetaArguments } from "../../construct";

/** The properties of a {@link Devcontainer}. */
export interface DevcontainerProps extends MetaArguments {
  /**
   * ID of the agent. Pass the agent's `agentId` directly: the platform follows this reference.
   *
   * A change replaces the dev container.
   */
  readonly agentId: string;
  /** Folder in the workspace that contains the dev container's configuration. */
  readonly workspaceFolder: string;
  /**
   * Path of the dev container's configuration file.
   *
   * @default the agent searches the folder
   */
  readonly configPath?: string | undefined;
}

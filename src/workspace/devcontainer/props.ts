import type { MetaArguments } from "../../construct";

/** The properties of a {@link Devcontainer}. */
export interface DevcontainerProps extends MetaArguments {
  /**
   * ID of the agent: its `agentId` alone, since the platform follows this reference.
   *
   * A change replaces the dev container.
   */
  readonly agentId: string;
  /** Folder in the workspace with the dev container's configuration. */
  readonly workspaceFolder: string;
  /**
   * Path of the dev container's configuration file.
   *
   * @default it is looked for in the folder
   */
  readonly configPath?: string | undefined;
}

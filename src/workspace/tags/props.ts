import type { DataSourceMetaArguments } from "../../construct";

/** The properties of a {@link DataWorkspaceTags}. */
export interface DataWorkspaceTagsProps extends DataSourceMetaArguments {
  /**
   * Values by the tags' names: literals, variables and the values of parameters only.
   *
   * @default none
   */
  readonly tags?: Readonly<Record<string, string>> | undefined;
}

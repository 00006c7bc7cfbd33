import type { DataSourceMetaArguments } from "../../construct";

/** The properties of a {@link DataWorkspaceTags}. */
export interface DataWorkspaceTagsProps extends DataSourceMetaArguments {
  /**
   * Values by tag name. They may contain only literals, variables and the values of parameters.
   *
   * @default none
   */
  readonly tags?: Readonly<Record<string, string>> | undefined;
}

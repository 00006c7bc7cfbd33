import type { DataSourceMetaArguments } from "../../construct";

/** The properties of a {@link DataWorkspaceTags}. */
export interface DataWorkspaceTagsProps extends DataSourceMetaArguments {
  /**
   * Values by tag name. They may contain only literals, variables, locals, the values of parameters, and
   * the owner if its construct ID is `me`.
   *
   * @default none
   */
  readonly tags?: Readonly<Record<string, string>> | undefined;
}

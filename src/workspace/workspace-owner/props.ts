import type { DataSourceMetaArguments } from "../../construct";

/** The properties of a {@link DataWorkspaceOwner}: only the meta-arguments. */
export type DataWorkspaceOwnerProps = DataSourceMetaArguments;

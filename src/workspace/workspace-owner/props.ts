import type { DataSourceMetaArguments } from "../../construct";

/** The properties of a {@link DataWorkspaceOwner}: the meta-arguments alone. */
export type DataWorkspaceOwnerProps = DataSourceMetaArguments;

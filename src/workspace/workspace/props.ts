import type { DataSourceMetaArguments } from "../../construct";

/** The properties of a {@link DataWorkspace}: only the meta-arguments. */
export type DataWorkspaceProps = DataSourceMetaArguments;

import type { DataSourceMetaArguments } from "../../construct";

/** The properties of a {@link DataWorkspace}: the meta-arguments alone. */
export type DataWorkspaceProps = DataSourceMetaArguments;

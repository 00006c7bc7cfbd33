import type { DataSourceMetaArguments } from "../../construct";

/** The properties of a {@link DataProvisioner}: only the meta-arguments. */
export type DataProvisionerProps = DataSourceMetaArguments;

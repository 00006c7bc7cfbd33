import type { DataSourceMetaArguments } from "../../construct";

/** The properties of a {@link DataProvisioner}: the meta-arguments alone. */
export type DataProvisionerProps = DataSourceMetaArguments;

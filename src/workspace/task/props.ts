import type { DataSourceMetaArguments } from "../../construct";

/** The properties of a {@link DataTask}: the meta-arguments alone. */
export type DataTaskProps = DataSourceMetaArguments;

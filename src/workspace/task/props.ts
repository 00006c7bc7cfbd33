import type { DataSourceMetaArguments } from "../../construct";

/** The properties of a {@link DataTask}: only the meta-arguments. */
export type DataTaskProps = DataSourceMetaArguments;

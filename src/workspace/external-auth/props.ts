import type { IResolvable } from "cdktf";
import type { DataSourceMetaArguments } from "../../construct";

/** The properties of a {@link DataExternalAuth}. */
export interface DataExternalAuthProps extends DataSourceMetaArguments {
  /** ID of an external authentication provider that is set up in the deployment. */
  readonly id: string;
  /**
   * Lets users create or update a workspace without this login.
   *
   * @default false
   */
  readonly optional?: boolean | IResolvable | undefined;
}

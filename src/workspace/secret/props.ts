import type { DataSourceMetaArguments } from "../../construct";

/** The properties of a {@link DataSecret}: exactly one of `env` and `file`. */
export interface DataSecretProps extends DataSourceMetaArguments {
  /**
   * Name of the environment variable that the secret is put into.
   *
   * A letter or an underscore, then letters, digits and underscores.
   *
   * @default none; then `file` is needed
   */
  readonly env?: string | undefined;
  /**
   * Path of the file that the secret is put into; it starts with `~/` or `/`.
   *
   * @default none; then `env` is needed
   */
  readonly file?: string | undefined;
  /**
   * What users read while the secret is missing: how to get one and where to store it.
   *
   * It stands on the page that creates a workspace, and in the logs of the build that failed.
   */
  readonly helpMessage: string;
}

import type { DataSourceMetaArguments } from "../../construct";

/** The properties of a {@link DataSecret}. Exactly one of `env` and `file` is required. */
export interface DataSecretProps extends DataSourceMetaArguments {
  /**
   * Name of the environment variable that contains the secret.
   *
   * A letter or an underscore, then letters, digits and underscores.
   *
   * @default none; `file` is then required
   */
  readonly env?: string | undefined;
  /**
   * Path of the file that contains the secret. It must start with `~/` or `/`.
   *
   * @default none; `env` is then required
   */
  readonly file?: string | undefined;
  /**
   * Message that users see while the secret is missing: how to get it and where to store it.
   *
   * It is shown on the page that creates a workspace, and in the logs of the failed build.
   */
  readonly helpMessage: string;
}

import type { Path } from "../../../schema/finding";

/** What Terraform shows when a function fails. */
export interface FunctionErrorProps {
  /**
   * A clause, with the argument as its subject if there is a `path`: `must be an image reference`. Never
   * a secret: Terraform does not tell the function which arguments are sensitive.
   */
  readonly message: string;
  /**
   * The argument to blame, in the declaration's names, and the place inside it: `["reference"]`; for
   * the second of several arguments `["parts", 1]`.
   *
   * @default the whole call
   */
  readonly path?: Path | undefined;
  /** The caught value, for logs. It is not shown. */
  readonly cause?: unknown;
}

/**
 * The error that a function throws when its arguments are to blame.
 *
 * Any other error is reported as a bug in the provider.
 */
export class FunctionError extends Error {
  override readonly name = "FunctionError";
  readonly path: Path;

  constructor({ message, path = [], cause }: FunctionErrorProps) {
    super(message, cause === undefined ? undefined : { cause });
    this.path = path;
  }
}

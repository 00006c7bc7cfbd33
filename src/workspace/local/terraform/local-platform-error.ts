export type LocalPlatformErrorCode =
  /** The template's folder or the folder for state cannot be used. */
  | "FOLDER"
  /** Another build of the same state folder is under way. */
  | "BUSY"
  /** The request does not fit the workspace: it does not exist, belongs to somebody else, … */
  | "REQUEST"
  /** Terraform could not be started. */
  | "NO_TERRAFORM"
  /** Terraform ended with an error. */
  | "TERRAFORM"
  /** The plan is fine for Terraform, but not for the platform. */
  | "REFUSED"
  /** The caller's signal ended the build. */
  | "INTERRUPTED";

/** A failure that is meant for the user: what happened, and the way out. */
export class LocalPlatformError extends Error {
  override readonly name = "LocalPlatformError";

  constructor(
    readonly code: LocalPlatformErrorCode,
    message: string,
    readonly cure: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

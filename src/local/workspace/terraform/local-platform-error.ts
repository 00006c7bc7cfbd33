import { type Failure, failures } from "../../../core/failure/failure";

type LocalPlatformErrorCode =
  /** The template's folder or the folder for state cannot be used. */
  | "FOLDER"
  /** Another build with the same folder for state is running. */
  | "BUSY"
  /** The workspace does not allow the request: for example, it does not exist or has another owner. */
  | "REQUEST"
  /** Terraform could not be started. */
  | "NO_TERRAFORM"
  /** Terraform failed. */
  | "TERRAFORM"
  /** Terraform accepts the plan, but the platform refuses it. */
  | "REFUSED"
  /** The caller's signal ended the build. */
  | "INTERRUPTED";

/** A failure to report to the user: what happened, and how to fix it. */
export type LocalPlatformError = Failure<LocalPlatformErrorCode>;
export const [localPlatformError, isLocalPlatformError] =
  failures<LocalPlatformErrorCode>("LocalPlatformError");

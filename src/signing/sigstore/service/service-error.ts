/**
 * Why a request to a signing service failed.
 *
 * `NO_IDENTITY` (there is no identity token), `IDENTITY` (the token cannot be used, or its source failed),
 * `CERTIFICATE_AUTHORITY`, `TRANSPARENCY_LOG`, `TIMESTAMP` (the service refused, or sent an unexpected
 * response), `TRANSPORT` (no response), `CANCELLED`, `DEADLINE`.
 */
export type ServiceErrorCode =
  | "NO_IDENTITY"
  | "IDENTITY"
  | "CERTIFICATE_AUTHORITY"
  | "TRANSPARENCY_LOG"
  | "TIMESTAMP"
  | "TRANSPORT"
  | "CANCELLED"
  | "DEADLINE";

/** The only error of the clients for signing services. Its message contains no secrets and no query strings. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";

  constructor(
    readonly code: ServiceErrorCode,
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

/** The error of a caller that is cancelled while it waits for another caller's request. */
export function interrupted(): ServiceError {
  return new ServiceError(
    "CANCELLED",
    "The request was cancelled while it waited for another one.",
  );
}

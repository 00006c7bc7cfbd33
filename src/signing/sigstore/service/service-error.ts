/**
 * Why a service that signing needs did not do its part.
 *
 * `NO_IDENTITY` (nobody is there to sign for), `IDENTITY` (a token that cannot be used, or a source that
 * failed), `CERTIFICATE_AUTHORITY`, `TRANSPARENCY_LOG`, `TIME_STAMP` (the service refused, or answered
 * something else than was asked for), `TRANSPORT` (no answer), `CANCELLED`, `DEADLINE`.
 */
export type ServiceErrorCode =
  | "NO_IDENTITY"
  | "IDENTITY"
  | "CERTIFICATE_AUTHORITY"
  | "TRANSPARENCY_LOG"
  | "TIME_STAMP"
  | "TRANSPORT"
  | "CANCELLED"
  | "DEADLINE";

/** The one error of the clients of signing services; its message holds no secret and no query string. */
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

/** The error of one who gives up while another asks a service for both. */
export function interrupted(): ServiceError {
  return new ServiceError("CANCELLED", "The call was cancelled while it waited for another.");
}

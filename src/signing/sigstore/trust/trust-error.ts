/**
 * Why trusted certificates and keys, or the services to sign with, could not be loaded.
 *
 * `FILE` (cannot be read), `DOCUMENT` (has an invalid format), `PUBLIC_INSTANCE` (could not be fetched),
 * `SIGNING_CONFIG` (has an invalid format, or lists no service that can be used).
 */
type TrustErrorCode = "FILE" | "DOCUMENT" | "PUBLIC_INSTANCE" | "SIGNING_CONFIG";

/** Trusted certificates and keys, or the services to sign with, could not be loaded. */
export class TrustError extends Error {
  override readonly name = "TrustError";

  constructor(
    readonly code: TrustErrorCode,
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

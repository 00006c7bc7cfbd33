/**
 * Why trusted certificates and keys could not be loaded.
 *
 * `FILE` (cannot be read), `DOCUMENT` (has an invalid format), `PUBLIC_INSTANCE` (could not be fetched).
 */
export type TrustErrorCode = "FILE" | "DOCUMENT" | "PUBLIC_INSTANCE";

/** Trusted certificates and keys could not be loaded. */
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

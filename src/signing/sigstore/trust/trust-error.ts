/**
 * Why it is not known whom to trust.
 *
 * `FILE` (cannot be read), `DOCUMENT` (not what it should be), `PUBLIC_INSTANCE` (could not be asked).
 */
export type TrustErrorCode = "FILE" | "DOCUMENT" | "PUBLIC_INSTANCE";

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

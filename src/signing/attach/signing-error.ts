/**
 * Why nothing was signed or written, apart from errors of services and registries.
 *
 * `ATTACHMENTS_MALFORMED` (the tag for signatures contains something else), `TOO_MANY_LAYERS`,
 * `PREDICATE` (invalid type, JSON or size), `PREDICATE_FILE`, `UNVERIFIED` (the new signature does not
 * verify), `NOT_ATTACHED` (a run that only looks found nothing).
 */
type SigningErrorCode =
  | "ATTACHMENTS_MALFORMED"
  | "TOO_MANY_LAYERS"
  | "PREDICATE"
  | "PREDICATE_FILE"
  | "UNVERIFIED"
  | "NOT_ATTACHED";

/** Signing or attesting failed for a reason other than a service or a registry. */
export class SigningError extends Error {
  override readonly name = "SigningError";

  constructor(
    readonly code: SigningErrorCode,
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

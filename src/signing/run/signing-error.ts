/**
 * Why nothing was signed, or nothing was written, beside what services and registries refuse.
 *
 * `IMAGE_MISSING`, `IMAGE_MALFORMED` (an index that names its images in no way that we know),
 * `ATTACHMENTS_MALFORMED` (the tag for signatures holds something else), `TOO_MANY_LAYERS`,
 * `PREDICATE` (its type, its JSON or its size), `PREDICATE_FILE`, `UNVERIFIED` (what the services gave does
 * not verify), `CANNOT_REMOVE` (what is to be replaced stays, since the registry does not delete).
 */
export type SigningErrorCode =
  | "IMAGE_MISSING"
  | "IMAGE_MALFORMED"
  | "ATTACHMENTS_MALFORMED"
  | "TOO_MANY_LAYERS"
  | "PREDICATE"
  | "PREDICATE_FILE"
  | "UNVERIFIED"
  | "CANNOT_REMOVE";

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

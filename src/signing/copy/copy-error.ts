/**
 * Why an image could not be copied, beside what the registries themselves refuse.
 *
 * `SOURCE_MISSING`, `SOURCE_MALFORMED` (a manifest that names its parts in no way that we know, or more of
 * them than we follow).
 */
export type CopyErrorCode = "SOURCE_MISSING" | "SOURCE_MALFORMED";

export class CopyError extends Error {
  override readonly name = "CopyError";

  constructor(
    readonly code: CopyErrorCode,
    message: string,
  ) {
    super(message);
  }
}

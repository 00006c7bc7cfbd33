/**
 * Why an image could not be copied, apart from registry errors.
 *
 * `SOURCE_MISSING`: a manifest is not in the source repository. `SOURCE_MALFORMED`: a manifest lists its
 * parts in an unknown way, or exceeds the limits.
 */
export type CopyErrorCode = "SOURCE_MISSING" | "SOURCE_MALFORMED";

/** An image could not be copied because of its content. */
export class CopyError extends Error {
  override readonly name = "CopyError";

  constructor(
    readonly code: CopyErrorCode,
    message: string,
  ) {
    super(message);
  }
}

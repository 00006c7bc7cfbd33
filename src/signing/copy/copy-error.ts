import { RegistryError, type RegistryErrorCode } from "../oci/protocol/registry-error";
import { SigningError } from "../run/signing-error";

/**
 * Why an image could not be copied, apart from registry errors.
 *
 * `SOURCE_MISSING`: a manifest is not in the source repository. `SOURCE_MALFORMED`: a manifest lists its
 * parts in an unknown way, or exceeds the limits. `PLATFORMS`: the platforms cannot be selected, or the
 * destination does not accept an index without all of its images.
 */
export type CopyErrorCode = "SOURCE_MISSING" | "SOURCE_MALFORMED" | "PLATFORMS";

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

const brokenContent: ReadonlySet<RegistryErrorCode> = new Set<RegistryErrorCode>([
  "NOT_FOUND",
  "WRONG_CONTENT",
  "TOO_LARGE",
  "MALFORMED_ANSWER",
]);

/** Whether the content at the source is to blame. A destination that refuses something is another error. */
export function isAboutSource(error: unknown): error is Error {
  if (error instanceof RegistryError) return brokenContent.has(error.code);
  if (error instanceof SigningError) return error.code === "ATTACHMENTS_MALFORMED";
  return error instanceof CopyError;
}

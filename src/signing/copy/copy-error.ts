import { ImageError } from "../image/walk-images";
import { RegistryError, type RegistryErrorCode } from "../oci/protocol/registry-error";

/**
 * Why an image could not be copied, apart from registry errors.
 *
 * `PLATFORMS`: the platforms cannot be selected, or the destination does not accept an index without all of its images.
 * `SIGNATURES`: signatures or attestations could not be copied. `TOO_MANY`: there is more than a copy may have.
 */
type CopyErrorCode = "PLATFORMS" | "SIGNATURES" | "TOO_MANY";

export class CopyError extends Error {
  override readonly name = "CopyError";

  constructor(
    readonly code: CopyErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** A failure of the source's registry, or of its content. */
class SourceError extends RegistryError {}

/** Reads from the source of a copy, so that {@link isAboutSource} recognises its failures. */
export async function fromSource<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw asSourceError(error);
  }
}

/** Streams content from the source of a copy, as {@link fromSource}. */
export async function* streamFromSource<T>(
  open: () => AsyncIterable<T> | Promise<AsyncIterable<T>>,
): AsyncGenerator<T> {
  try {
    yield* await open();
  } catch (error) {
    throw asSourceError(error);
  }
}

const asSourceError = (error: unknown): unknown =>
  error instanceof RegistryError ? new SourceError(error) : error;

const brokenContent: ReadonlySet<RegistryErrorCode> = new Set<RegistryErrorCode>([
  "NOT_FOUND",
  "WRONG_CONTENT",
  "TOO_LARGE",
  "MALFORMED_ANSWER",
]);

/**
 * Checks whether the content at the source caused a failure. The destination can fail with the same codes, but
 * then the next run may succeed.
 */
export function isAboutSource(error: unknown): error is SourceError | ImageError {
  if (error instanceof SourceError) return brokenContent.has(error.code);
  return error instanceof ImageError;
}

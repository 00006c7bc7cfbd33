/** What can be wrong with DER text. */
export type DerErrorCode =
  /** Bytes are missing: the text ends inside an element. */
  | "TRUNCATED"
  /** Bytes are left over behind the element. */
  | "TRAILING_BYTES"
  /** Legal BER at best: a length or a value that DER writes otherwise. */
  | "NOT_CANONICAL"
  /** Another type than the reader asked for. */
  | "UNEXPECTED_TAG"
  /** The right type, with a content that it cannot have. */
  | "INVALID_VALUE"
  /** More than this reader takes: a long tag, a length beyond 32 bits. */
  | "UNSUPPORTED";

/** Bytes that are not the DER they should be. */
export class DerError extends Error {
  override readonly name = "DerError";

  constructor(
    readonly code: DerErrorCode,
    message: string,
  ) {
    super(message);
  }
}

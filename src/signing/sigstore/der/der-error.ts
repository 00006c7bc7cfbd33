/** What is wrong with DER data. */
export type DerErrorCode =
  /** The data ends within an element. */
  | "TRUNCATED"
  /** There are extra bytes after the element. */
  | "TRAILING_BYTES"
  /** A length or a value is not in the form that DER requires. It may be valid BER. */
  | "NOT_CANONICAL"
  /** The element has another type than expected. */
  | "UNEXPECTED_TAG"
  /** The content is not valid for the type. */
  | "INVALID_VALUE"
  /** The parser does not support it, such as a long tag or a length beyond 32 bits. */
  | "UNSUPPORTED";

/** DER data is invalid or not supported. */
export class DerError extends Error {
  override readonly name = "DerError";

  constructor(
    readonly code: DerErrorCode,
    message: string,
  ) {
    super(message);
  }
}

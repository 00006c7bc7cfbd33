/**
 * The error codes of HTTP/2.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9113#section-7}
 */
export const Http2Code = {
  NO_ERROR: 0,
  PROTOCOL_ERROR: 1,
  INTERNAL_ERROR: 2,
  FLOW_CONTROL_ERROR: 3,
  STREAM_CLOSED: 5,
  FRAME_SIZE_ERROR: 6,
  REFUSED_STREAM: 7,
  CANCEL: 8,
  COMPRESSION_ERROR: 9,
  ENHANCE_YOUR_CALM: 11,
} as const;

/** The name of an error code of HTTP/2. */
export type Http2CodeName = keyof typeof Http2Code;

/** The error after which a connection can no longer be used. */
export class Http2ConnectionError extends Error {
  override readonly name = "Http2ConnectionError";

  constructor(
    readonly code: Http2CodeName,
    message: string,
  ) {
    super(message);
  }
}

/** Creates the error for a violation of the protocol. */
export const protocolError = (what: string): Http2ConnectionError =>
  new Http2ConnectionError("PROTOCOL_ERROR", what);

/** Creates the error for a frame with a wrong length. */
export const frameSizeError = (): Http2ConnectionError =>
  new Http2ConnectionError("FRAME_SIZE_ERROR", "a frame has a wrong length");

/**
 * The reason for which a request has no usable response.
 *
 * `NO_ANSWER` (no connection, or the connection was lost before the headers), `BROKEN_OFF` (the
 * connection was lost during the body), `TIMEOUT` (an attempt took too long, or the server stopped
 * responding), `TOO_LARGE` (the body exceeds the limit), `REDIRECT` (a redirect that is not
 * followed), `URL` (the URL is invalid; nothing was sent), `DEADLINE` (the caller's deadline
 * passed), `CANCELLED` (the caller's signal was aborted).
 */
export type HttpErrorCode =
  | "NO_ANSWER"
  | "BROKEN_OFF"
  | "TIMEOUT"
  | "TOO_LARGE"
  | "REDIRECT"
  | "URL"
  | "DEADLINE"
  | "CANCELLED";

/** The properties of an {@link HttpError}. */
interface HttpErrorProps {
  readonly code: HttpErrorCode;
  readonly message: string;
  /** The code of Node.js, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`. */
  readonly reason?: string | undefined;
  readonly cause?: unknown;
}

/**
 * The only error that HTTP requests throw. A response of any status is not an error.
 *
 * Its message never contains a query string, a header or a body.
 */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly code: HttpErrorCode;
  readonly reason: string | undefined;

  constructor({ code, message, reason, cause }: HttpErrorProps) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.reason = reason;
  }
}

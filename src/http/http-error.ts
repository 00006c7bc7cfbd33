/**
 * Why there is no usable answer.
 *
 * `NO_ANSWER` (no connection, or it was lost before the headers), `BROKEN_OFF` (it was lost in the
 * middle of the body), `TIMEOUT` (one attempt took too long), `TOO_LARGE`, `REDIRECT` (one that is
 * not followed), `URL` (nothing was sent), `DEADLINE` (the caller's), `CANCELLED` (the caller's signal).
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

export interface HttpErrorProps {
  readonly code: HttpErrorCode;
  readonly message: string;
  /** The code of Node: `ECONNREFUSED`, `CERT_HAS_EXPIRED`, … */
  readonly reason?: string | undefined;
  readonly cause?: unknown;
}

/**
 * The one error of this folder; an answer with a status, whichever, is none.
 *
 * Its message never holds a query string, a header or a body.
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

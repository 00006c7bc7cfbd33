import { type Failure, failures } from "../failure/failure";
import { failureCode } from "./failure";

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

/**
 * What HTTP requests fail with. A response of any status is no failure.
 *
 * Its message never contains a query string, a header or a body.
 */
export type HttpError = Failure<HttpErrorCode>;
export const [httpError, isHttpError] = failures<HttpErrorCode>("HttpError");

/** The end of a call. @param work what it interrupted, as a clause in the past tense */
export const endedWhile = (code: "CANCELLED" | "DEADLINE", work: string): HttpError =>
  httpError(
    code,
    `the ${code === "DEADLINE" ? "time ran out" : "call was cancelled"} while ${work}`,
  );

/** The code of Node.js for a request without a response, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`. */
export const reasonOf = ({ code, cause }: HttpError): string | undefined =>
  code === "TIMEOUT" && cause === undefined ? code : failureCode(cause);

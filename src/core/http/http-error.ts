import { type Failure, failures } from "../failure/failure";

/**
 * Why a request has no usable response.
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
 * The error of an HTTP request. A response of any status is not an error.
 *
 * The message never contains a query string, a header or a body.
 */
export type HttpError = Failure<HttpErrorCode>;
export const [httpError, isHttpError] = failures<HttpErrorCode>("HttpError");

/** The error for a call that has ended. @param work what it interrupted, such as "waiting for the log" */
export const endedWhile = (code: "CANCELLED" | "DEADLINE", work: string): HttpError =>
  httpError(
    code,
    `the ${code === "DEADLINE" ? "time ran out" : "call was cancelled"} while ${work}`,
  );

/** The code of Node.js for a request without a response, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`. */
export const reasonOf = ({ code, cause }: HttpError): string | undefined =>
  code === "TIMEOUT" && cause === undefined ? code : failureCode(cause);

/** Failures that would occur again. Codes such as "UNABLE_TO_…" and "CERT_…" concern certificates. */
const permanent =
  /^(?:ENOTFOUND|EPROTO|ANSWER_TOO_LARGE|ERR_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_|PROXY_REFUSED|EXTRA_CA_CERTS)/;

/** Checks whether a retry makes sense after a failure with this code of Node.js. */
export function isTemporaryFailure(reason: string | undefined): boolean {
  return !permanent.test(reason ?? "");
}

// Caught values are recognised by their fields: instanceof fails for values of another bundle or realm.

/** The `code` of a failure or of its cause, such as `ECONNREFUSED`; undefined without one. */
export function failureCode(failure: unknown): string | undefined {
  if (typeof failure !== "object" || failure === null) return undefined;
  if ("code" in failure && typeof failure.code === "string") return failure.code;
  return "cause" in failure ? failureCode(failure.cause) : undefined;
}

/** The message of a failure; empty if it has none. */
export function failureMessage(failure: unknown): string {
  const isObject = typeof failure === "object" && failure !== null;
  return isObject && "message" in failure && typeof failure.message === "string"
    ? failure.message
    : "";
}

/** A failure with a code, such as those of Node.js. */
export const failureOf = (code: string, message: string): Error =>
  Object.assign(new Error(message), { code });

/** The `code` of the failure of a body that is larger than the limit. */
export const answerTooLargeCode = "ANSWER_TOO_LARGE";

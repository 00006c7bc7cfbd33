import { isEnd, within } from "../failure/failure";
import type { HttpError } from "./http-error";
import { formatLabel, type RequestLabel } from "./request-label";
import { type AttemptReport, parseRetryAfter, secondsOf } from "./retry";

/** The result of an attempt: an error, or a response of any status. */
type AttemptResult =
  | { readonly error: HttpError }
  | {
      readonly error?: undefined;
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
    };

/** Describes the result of an attempt for the log, and for the message about the wait after it. */
export function reportAttempt(
  label: RequestLabel,
  result: AttemptResult,
  now: number,
): AttemptReport {
  const request = formatLabel(label);
  if (result.error !== undefined) {
    const { code, message: problem } = result.error;
    return { message: "got no response", fields: { request, code }, problem };
  }
  const { status, headers } = result;
  const problem = `${request} failed with HTTP status ${status}${askedWait(headers, now)}`;
  return { message: "got a response", fields: { request, status }, problem };
}

/** Says how long a server asks to wait, after the description of its refusal; empty if it does not ask. */
export function askedWait(headers: Readonly<Record<string, string>>, now: number): string {
  const ms = parseRetryAfter(headers["retry-after"], now);
  return ms === undefined ? "" : ` (the server asks to wait ${secondsOf(ms)})`;
}

/** Says how often something was tried, after the description of its failure; empty for one attempt. */
export const afterAttempts = (attempts: number): string =>
  attempts > 1 ? ` after ${attempts} attempts` : "";

/** Adds the number of attempts to an error, unless the caller ended the call. */
export function withAttempts(error: HttpError, attempts: number): HttpError {
  return attempts === 1 || isEnd(error)
    ? error
    : within(error, error.message + afterAttempts(attempts));
}

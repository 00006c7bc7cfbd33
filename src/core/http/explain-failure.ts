import { answerTooLargeCode, failureCode, failureMessage } from "./failure";
import { type HttpError, httpError, isHttpError } from "./http-error";
import { formatLabel, type RequestLabel } from "./request-label";
import { serverMessage } from "./server-message";
import { serverSilent } from "./transport";

/** The progress of an attempt: `answering` once the status and headers of a response have arrived. */
export type AttemptStage = "no answer" | "answering";

/**
 * Converts the failure of an attempt to an `HttpError` that explains it.
 */
export function explainFailure(
  failure: unknown,
  label: RequestLabel,
  secrets: readonly string[] = [],
  stage: AttemptStage = "no answer",
): HttpError {
  if (isHttpError(failure)) return failure;
  const reason = failureCode(failure);
  const message = serverMessage(failureMessage(failure), secrets);
  if (reason === answerTooLargeCode) {
    return httpError("TOO_LARGE", `${formatLabel(label)}: ${message}`, { cause: failure });
  }
  const code = reason === serverSilent ? "TIMEOUT" : stageCodes[stage];
  const what = stage === "answering" ? "got an incomplete response" : "got no response";
  const explained = `${formatLabel(label)} ${what}: ${explain(reason, message, label, stage)}`;
  return httpError(code, explained, { cause: failure });
}

const stageCodes = { "no answer": "NO_ANSWER", answering: "BROKEN_OFF" } as const;

function explain(
  reason: string | undefined,
  message: string,
  { url }: RequestLabel,
  stage: AttemptStage,
): string {
  if (reason === undefined) return message === "" ? "the system names no reason" : message;
  if (reason === "ECONNREFUSED") return `no server is listening on ${url.host}`;
  if (reason === "ENOTFOUND") return `the host name ${url.hostname} cannot be resolved`;
  if (reason === serverSilent) return `the server stopped responding (${reason})`;
  if (reason === "ECONNRESET") {
    const when = stage === "answering" ? "during" : "before";
    return `the connection was closed ${when} the response (${reason})`;
  }
  return message === "" ? reason : `${message} (${reason})`;
}

/**
 * Failures that would occur again. "UNABLE_TO_…", "CERT_…" and similar codes concern certificates.
 */
const permanent =
  /^(?:ENOTFOUND|EPROTO|ANSWER_TOO_LARGE|ERR_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_|PROXY_REFUSED|EXTRA_CA_CERTS)/;

/** Checks whether a retry makes sense after a failure with this code of Node.js. */
export function isTemporaryFailure(reason: string | undefined): boolean {
  return !permanent.test(reason ?? "");
}

import { failureCode, failureMessage } from "./failure";
import { HttpError } from "./http-error";
import { answerTooLargeCode } from "./read-body";
import { formatLabel, type RequestLabel } from "./request-label";
import { serverMessage } from "./server-message";
import { SERVER_SILENT } from "./transport";

/** How far an attempt had come: whether the status and headers of an answer were there. */
export type AttemptStage = "no answer" | "answering";

/** Says of an attempt that failed why; `reason` becomes the code of Node. */
export function explainFailure(
  failure: unknown,
  label: RequestLabel,
  secrets: readonly string[] = [],
  stage: AttemptStage = "no answer",
): HttpError {
  if (failure instanceof HttpError) return failure;
  const reason = failureCode(failure);
  const words = serverMessage(failureMessage(failure), secrets);
  if (reason === answerTooLargeCode) {
    return new HttpError({ code: "TOO_LARGE", reason, message: `${formatLabel(label)}: ${words}` });
  }
  const code = reason === SERVER_SILENT ? "TIMEOUT" : stageCodes[stage];
  const what = stage === "answering" ? "was not answered to the end" : "got no answer";
  return new HttpError({
    code,
    message: `${formatLabel(label)} ${what}: ${explain(reason, words, label, stage)}`,
    reason,
    cause: failure,
  });
}

const stageCodes = { "no answer": "NO_ANSWER", answering: "BROKEN_OFF" } as const;

function explain(
  reason: string | undefined,
  words: string,
  { url }: RequestLabel,
  stage: AttemptStage,
): string {
  if (reason === undefined) return words === "" ? "for an unknown reason" : words;
  if (reason === "ECONNREFUSED") return `nothing listens at ${url.host}`;
  if (reason === "ENOTFOUND") return `the host ${url.hostname} is not known`;
  if (reason === SERVER_SILENT) return `the server was silent for too long (${reason})`;
  if (reason === "ECONNRESET") {
    const when = stage === "answering" ? "in the middle of" : "before";
    return `the connection was closed ${when} the answer (${reason})`;
  }
  return words === "" ? reason : `${words} (${reason})`;
}

/** Nothing else will happen a minute later; "UNABLE_TO_…" and "CERT_…" are about certificates. */
const hopeless =
  /^(?:ENOTFOUND|EPROTO|answerTooLargeCode|ERR_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_|PROXY_REFUSED|EXTRA_CA_CERTS)/;

/** Whether a failure with this code of Node may go away by itself. */
export function isTemporaryFailure(reason: string | undefined): boolean {
  return !hopeless.test(reason ?? "");
}

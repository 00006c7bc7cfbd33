import { ApiError } from "./api-error";
import { isLoopbackHost } from "./base-url";
import { failureCode, failureMessage } from "./failure";
import { serverWords } from "./server-words";

/** What is told of a request: never its query, its headers or its body. */
export interface RequestLabel {
  readonly method: string;
  readonly url: URL;
}

/** `GET https://ids.googleapis.com/v1/projects/…`, without the query. */
export function formatLabel({ method, url }: RequestLabel): string {
  return `${method} ${url.origin}${url.pathname}`;
}

/** Says of a request that got no answer why; `reason` becomes the code of Node or undici. */
export function transportError(failure: unknown, label: RequestLabel, secret?: string): ApiError {
  const reason = failureCode(failure);
  return new ApiError({
    code: "TRANSPORT",
    message: `${formatLabel(label)} got no answer: ${explain(failure, reason, label, secret)}`,
    reason,
  });
}

function explain(
  failure: unknown,
  reason: string | undefined,
  { url }: RequestLabel,
  secret?: string,
): string {
  if (reason === "ECONNREFUSED") {
    const hint = isLoopbackHost(url.hostname)
      ? "; is the local back end (`trivet local ids`) running?"
      : "";
    return `nothing listens at ${url.host}${hint}`;
  }
  if (reason === "ENOTFOUND") return `the host ${url.hostname} is not known`;
  if (reason === "ECONNRESET" || reason === "UND_ERR_SOCKET") {
    return `the connection was closed before the answer (${reason})`;
  }
  const words = serverWords(failureMessage(failure), secret);
  if (reason === undefined) return words === "" ? "for an unknown reason" : words;
  return words === "" ? reason : `${words} (${reason})`;
}

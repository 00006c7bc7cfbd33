import { isTemporaryFailure } from "../../http/http-error";
import { type AttemptNumber, type Backoff, backoffMs } from "../../http/retry";
import type { ApiError } from "./api-error";

const backoff: Backoff = { firstMs: 1_000, factor: 2, maxMs: 32_000, jitter: 1 };

const retriedStatuses: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** The maximum number of attempts of one request. A refused connection has fewer. */
export const maxRequestAttempts = 8;
/** The maximum number of attempts of a poll. It is higher, because giving up would lose a running operation. */
export const maxPollAttempts = 20;
const maxRefusedAttempts = 3;

/**
 * Returns the milliseconds to wait before the next attempt; undefined for no further attempt.
 *
 * Mutations are retried like reads, because all attempts have the same request ID. The wait is the
 * one that the server requests, otherwise exponential with full jitter.
 */
export function retryDelayMs(
  error: ApiError,
  attempt: AttemptNumber,
  maxAttempts: number,
): number | undefined {
  const limit = error.reason === "ECONNREFUSED" ? maxRefusedAttempts : maxAttempts;
  if (attempt.number >= limit || !isTransient(error)) return undefined;
  if (error.retryAfterMs !== undefined) return error.retryAfterMs;
  return backoffMs(backoff, attempt);
}

function isTransient(error: ApiError): boolean {
  const { code, httpStatus, reason = "" } = error;
  if (code === "TRANSPORT") return isTemporaryFailure(reason);
  if (code === "ABORTED") return true;
  if (httpStatus === 403) return isRateQuota(error);
  // The number of endpoints is a quota as well, for which waiting does not help.
  if (httpStatus === 429 && reason !== "") return isRateQuota(error) || !reason.includes("QUOTA");
  return retriedStatuses.has(httpStatus);
}

function isRateQuota({ reason, message }: ApiError): boolean {
  return (
    reason === "RATE_LIMIT_EXCEEDED" ||
    reason === "CONCURRENT_OPERATIONS_QUOTA_EXCEEDED" ||
    (/quota/i.test(message) && /per minute/i.test(message))
  );
}

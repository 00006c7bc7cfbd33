import { isTemporaryFailure } from "../../http/explain-failure";
import { type AttemptNumber, type Backoff, backoffMs } from "../../http/repeat";
import type { ApiError } from "./api-error";

const backoff: Backoff = { firstMs: 1_000, factor: 2, maxMs: 32_000, jitter: 1 };

const retriedStatuses: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** Attempts of one logical request; a refused connection is given up sooner. */
export const maxRequestAttempts = 8;
/** A poll changes nothing and stands for much work that is under way: more patience. */
export const maxPollAttempts = 20;
const maxRefusedAttempts = 3;

/**
 * Milliseconds to wait before the next attempt, undefined when there should be none.
 *
 * Mutations are treated like reads, because all attempts of one carry the same request id. The wait
 * is the server's own wish, else exponential with full jitter.
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
  // The number of endpoints is a quota too; that one does not come back by waiting.
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

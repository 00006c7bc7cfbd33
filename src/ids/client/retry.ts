import { isTemporaryFailure } from "../../http/explain-failure";
import type { ApiError } from "./api-error";

const firstDelayMs = 1_000;
const maxDelayMs = 32_000;

const retriedStatuses: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** Attempts of one logical request; a refused connection is given up sooner. */
export const maxAttempts = 8;
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
  attempt: { readonly number: number; readonly limit: number; readonly random: () => number },
): number | undefined {
  const limit = error.reason === "ECONNREFUSED" ? maxRefusedAttempts : attempt.limit;
  if (attempt.number >= limit || !isTransient(error)) return undefined;
  if (error.retryAfterMs !== undefined) return error.retryAfterMs;
  const ceiling = Math.min(maxDelayMs, firstDelayMs * 2 ** (attempt.number - 1));
  return Math.round(attempt.random() * ceiling);
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

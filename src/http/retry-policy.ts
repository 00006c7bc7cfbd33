import { isTemporaryFailure } from "./explain-failure";
import type { HttpError } from "./http-error";
import { type AttemptNumber, backoffMs } from "./repeat";
import { parseRetryAfter } from "./retry-after";

/** How one attempt ended: with an answer, whatever its status, or without. */
export type Outcome =
  | { readonly error: HttpError }
  | {
      readonly error?: undefined;
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      /** The body's first bytes; empty for a successful answer that is streamed. */
      readonly body: Buffer;
    };

/** Milliseconds to wait before the next attempt, undefined when there should be none. */
export type RetryPolicy = (outcome: Outcome, attempt: AttemptNumber) => number | undefined;

export interface RetrySettings {
  /** Attempts in all. @default 3 */
  readonly attempts?: number | undefined;
  /** Statuses that may be different next time. @default 408, 429, 499, 500, 502, 503, 504, 522 */
  readonly statuses?: readonly number[] | undefined;
  /** Other answers that may be different next time. */
  readonly also?: ((status: number, body: Buffer) => boolean) | undefined;
  /** @default 1000 */
  readonly firstDelayMs?: number | undefined;
  /** @default 3 */
  readonly factor?: number | undefined;
}

export const noRetry: RetryPolicy = () => undefined;

/**
 * Repeats after lost connections, time-outs of an attempt, and passing statuses; waits as long as
 * `Retry-After` says, else exponentially, between the whole delay and half of it.
 */
export function retryPolicy(settings: RetrySettings = {}): RetryPolicy {
  const { attempts = 3, firstDelayMs = 1_000, factor = 3, also = () => false } = settings;
  const statuses = new Set(settings.statuses ?? [408, 429, 499, 500, 502, 503, 504, 522]);
  return (outcome, attempt) => {
    if (attempt.number >= attempts) return undefined;
    const delayMs = backoffMs({ firstMs: firstDelayMs, factor, jitter: 0.5 }, attempt);
    if (outcome.error !== undefined) return isTemporary(outcome.error) ? delayMs : undefined;
    const { status, headers, body } = outcome;
    if (!statuses.has(status) && !also(status, body)) return undefined;
    return parseRetryAfter(headers["retry-after"], attempt.now) ?? delayMs;
  };
}

function isTemporary({ code, reason }: HttpError): boolean {
  if (code === "TIMEOUT") return true;
  return (code === "NO_ANSWER" || code === "BROKEN_OFF") && isTemporaryFailure(reason);
}

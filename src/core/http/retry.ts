import { isEnd, within } from "../failure/failure";
import type { CallContext, ClientLog, Clock } from "./call-context";
import { type HttpError, isHttpError, isTemporaryFailure, reasonOf } from "./http-error";
import { formatLabel, type RequestLabel } from "./request-label";

/** An attempt, for the calculation of a wait. */
export interface AttemptNumber {
  /** From 1. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Returns a number between 0 and 1. */
  readonly random: () => number;
}

export interface RepeatSettings<End> {
  readonly context: CallContext;
  readonly clock: Clock;
  readonly random: () => number;
  /** Makes an attempt and returns its result. A thrown error ends the loop. */
  readonly attempt: (number: number) => Promise<End>;
  /** Milliseconds to wait before the next attempt; undefined for no further attempt. */
  readonly waitMs: (end: End, attempt: AttemptNumber) => number | undefined;
  /** @default no log */
  readonly log?: ClientLog | undefined;
  readonly describe?: ((end: End) => AttemptReport) | undefined;
}

/** A log message for the result of an attempt. */
interface AttemptReport {
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** What went wrong, for the message about the wait before the next attempt. @default the message */
  readonly problem?: string | undefined;
}

const attempted: AttemptReport = { message: "attempted", fields: {} };

/** The longest wait between two attempts, in milliseconds, even if a server asks for a longer one. */
export const maxWaitMs = 60_000;

/**
 * Repeats an attempt until `waitMs` returns undefined, or a time after the deadline. Waits at most a minute
 * between two attempts, and logs each wait. Returns the last result.
 */
export async function repeat<End>(settings: RepeatSettings<End>): Promise<End> {
  const { context, clock, random, attempt, waitMs } = settings;
  const { log, describe = (): AttemptReport => attempted } = settings;
  for (let number = 1; ; number++) {
    const end = await attempt(number);
    const report = describe(end);
    const fields = { ...report.fields, attempt: number };
    log?.debug(report.message, fields);
    const wanted = waitMs(end, { number, random, now: clock.now() });
    // A server that asks for more time than is left would refuse an earlier attempt as well.
    if (wanted === undefined || clock.now() + wanted >= context.deadline) return end;
    const ms = Math.min(wanted, maxWaitMs);
    const { problem = report.message } = report;
    log?.warn(`${problem}; attempt ${number + 1} follows in ${secondsOf(ms)}`, {
      ...fields,
      waitMs: ms,
    });
    // The next attempt reports an interruption.
    await clock.sleep(ms, context.signal).catch(() => undefined);
  }
}

/** Formats milliseconds as seconds: `60 s`, `0.5 s`. */
export function secondsOf(ms: number): string {
  return `${ms < 10_000 ? Math.round(ms / 100) / 10 : Math.round(ms / 1_000)} s`;
}

/**
 * An exponential back-off with jitter, so that clients that failed together do not retry together.
 */
export interface Backoff {
  readonly firstMs: number;
  readonly factor: number;
  /** @default no limit */
  readonly maxMs?: number | undefined;
  /** The random part of a wait, from 0 (none) to 1 (all of it). */
  readonly jitter: number;
}

/** Milliseconds to wait after an attempt. */
export function backoffMs(
  { firstMs, factor, maxMs = Infinity, jitter }: Backoff,
  { number, random }: Pick<AttemptNumber, "number" | "random">,
): number {
  const wholeMs = Math.min(maxMs, firstMs * factor ** (number - 1));
  return Math.round(wholeMs * (1 - jitter * random()));
}

/** The outcome of an attempt: a response of any status, or an error. */
export type Outcome =
  | { readonly error: HttpError }
  | {
      readonly error?: undefined;
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      /** The first bytes of the body. */
      readonly body: Buffer;
    };

/** Returns the milliseconds to wait before the next attempt; undefined for no further attempt. */
export type RetryPolicy = (outcome: Outcome, attempt: AttemptNumber) => number | undefined;

interface RetrySettings {
  /** The maximum number of attempts. @default 3 */
  readonly attempts?: number | undefined;
  /** The statuses after which to try again. @default 408, 429, 499, 500, 502, 503, 504, 522 */
  readonly statuses?: readonly number[] | undefined;
  /** Recognises other responses after which to try again. @default none */
  readonly also?: ((status: number, body: Buffer) => boolean) | undefined;
  /** The first wait, in milliseconds. @default 1000 */
  readonly firstDelayMs?: number | undefined;
  /** The factor by which the wait grows. @default 3 */
  readonly factor?: number | undefined;
  /**
   * The maximum number of attempts while connections are refused or lost, as by a server that is restarted. The
   * waits are those of {@link restartBackoff}.
   *
   * @default as after other failures
   */
  readonly attemptsWithoutServer?: number | undefined;
}

/** The waits for a server that is restarted: 0.5, 1, 2, 4, and then 8 seconds, or as little as half of that. */
const restartBackoff: Backoff = { firstMs: 500, factor: 2, maxMs: 8_000, jitter: 0.5 };

export const noRetry: RetryPolicy = () => undefined;

/**
 * Creates a policy that tries again after lost connections, timeouts of an attempt, and temporary
 * statuses. It waits as long as `Retry-After` specifies, otherwise exponentially, between half and
 * the whole of the delay.
 */
export function retryPolicy(settings: RetrySettings = {}): RetryPolicy {
  const { attempts = 3, firstDelayMs = 1_000, factor = 3, also = () => false } = settings;
  const statuses = new Set(settings.statuses ?? [408, 429, 499, 500, 502, 503, 504, 522]);
  const { attemptsWithoutServer } = settings;
  return (outcome, attempt) => {
    const { error } = outcome;
    if (attemptsWithoutServer !== undefined && error !== undefined && isWithoutServer(error)) {
      return attempt.number < attemptsWithoutServer
        ? backoffMs(restartBackoff, attempt)
        : undefined;
    }
    if (attempt.number >= attempts) return undefined;
    const delayMs = backoffMs({ firstMs: firstDelayMs, factor, jitter: 0.5 }, attempt);
    if (error !== undefined) return isTemporary(error) ? delayMs : undefined;
    const { status, headers, body } = outcome;
    if (!statuses.has(status) && !also(status, body)) return undefined;
    return parseRetryAfter(headers["retry-after"], attempt.now) ?? delayMs;
  };
}

const isWithoutServer = (error: HttpError): boolean =>
  ["ECONNREFUSED", "ECONNRESET", "EPIPE"].includes(reasonOf(error) ?? "");

function isTemporary(error: HttpError): boolean {
  if (error.code === "TIMEOUT") return true;
  return isHttpError(error, "NO_ANSWER", "BROKEN_OFF") && isTemporaryFailure(reasonOf(error));
}

/**
 * Parses a `Retry-After` header: seconds or an HTTP date.
 *
 * @returns milliseconds; undefined without a valid header
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3}
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // Date.parse accepts too much ("2", "May"). An HTTP date has a weekday and a zone.
  if (!/^[A-Z][a-z]+, .+ GMT$/.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** An error, or a response of any status. */
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

/** How long a server asks to wait, as a suffix of a message; empty if it does not ask. */
export function askedWait(headers: Readonly<Record<string, string>>, now: number): string {
  const ms = parseRetryAfter(headers["retry-after"], now);
  return ms === undefined ? "" : ` (the server asks to wait ${secondsOf(ms)})`;
}

/** The number of attempts, as a suffix of a message; empty for one attempt. */
export const afterAttempts = (attempts: number): string =>
  attempts > 1 ? ` after ${attempts} attempts` : "";

/** Adds the number of attempts to an error, unless the caller ended the call. */
export function withAttempts(error: HttpError, attempts: number): HttpError {
  return attempts === 1 || isEnd(error)
    ? error
    : within(error, error.message + afterAttempts(attempts));
}

import type { CallContext, ClientLog } from "./call-context";
import type { Clock } from "./clock";

/** An attempt, for the calculation of a wait. */
export interface AttemptNumber {
  /** From 1. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Returns a number between 0 and 1. */
  readonly random: () => number;
}

/** The settings of {@link repeat}. */
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
  /** Describes the result of an attempt for the log. */
  readonly describe?: ((end: End) => AttemptReport) | undefined;
}

/** A log message for the result of an attempt. */
export interface AttemptReport {
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Repeats an attempt until `waitMs` returns undefined, or the next attempt would be after the
 * deadline. Returns the last result.
 */
export async function repeat<End>(settings: RepeatSettings<End>): Promise<End> {
  const { context, clock, random, attempt, waitMs } = settings;
  const { log = () => undefined, describe = () => ({ message: "attempted", fields: {} }) } =
    settings;
  for (let number = 1; ; number++) {
    const end = await attempt(number);
    const report = describe(end);
    const fields = { ...report.fields, attempt: number };
    log("debug", report.message, fields);
    const ms = waitMs(end, { number, random, now: clock.now() });
    if (ms === undefined || clock.now() + ms >= context.deadline) return end;
    log("warn", "repeating a request", { ...fields, waitMs: ms });
    // The next attempt reports an interruption.
    await clock.sleep(ms, context.signal).catch(() => undefined);
  }
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

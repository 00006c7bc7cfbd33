import type { CallContext, ClientLog } from "./call-context";
import type { Clock } from "./clock";

export interface AttemptNumber {
  /** From 1. */
  readonly number: number;
  readonly now: number;
  /** Between 0 and 1. */
  readonly random: () => number;
}

export interface RepeatSettings<End> {
  readonly context: CallContext;
  readonly clock: Clock;
  readonly random: () => number;
  /** How an attempt ended is a value; what is thrown ends everything. */
  readonly attempt: (number: number) => Promise<End>;
  /** Milliseconds to wait before the next attempt, undefined when there should be none. */
  readonly waitMs: (end: End, attempt: AttemptNumber) => number | undefined;
  /** @default none */
  readonly log?: ClientLog | undefined;
  /** What the log tells of an end. */
  readonly describe?: ((end: End) => AttemptReport) | undefined;
}

export interface AttemptReport {
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Attempts until there should be no next one, or none before the deadline; gives how the last one ended. */
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
    // Whoever is interrupted learns it from the attempt that follows.
    await clock.sleep(ms, context.signal).catch(() => undefined);
  }
}

/** Waits that grow, each by some chance shorter, so that many who failed together do not come back together. */
export interface Backoff {
  readonly firstMs: number;
  readonly factor: number;
  /** @default none */
  readonly maxMs?: number | undefined;
  /** The part of a wait that is left to chance: 0 none of it, 1 all of it. */
  readonly jitter: number;
}

/** How long to wait after an attempt. */
export function backoffMs(
  { firstMs, factor, maxMs = Infinity, jitter }: Backoff,
  { number, random }: Pick<AttemptNumber, "number" | "random">,
): number {
  const wholeMs = Math.min(maxMs, firstMs * factor ** (number - 1));
  return Math.round(wholeMs * (1 - jitter * random()));
}

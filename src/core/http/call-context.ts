import { type HttpError, httpError } from "./http-error";

/** The signal and the deadline of a call, for all of its requests. */
export interface CallContext {
  /** Aborting it ends the call with the error `CANCELLED`. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch, by the client's clock. Attempts and waits end before it. */
  readonly deadline: number;
}

/** Logs messages and their fields. They never contain secrets. */
export type ClientLog = Readonly<
  Record<"debug" | "warn", (message: string, fields: Readonly<Record<string, unknown>>) => void>
>;

/** The clock and the timers of a client. Tests inject a virtual clock. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Resolves after `ms` milliseconds. Rejects with the signal's reason if the signal is aborted
   * first.
   */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Calls back once after `ms` milliseconds. The returned function cancels it. */
  schedule(ms: number, callback: () => void): () => void;
}

// setTimeout fires immediately for anything above 2^31 - 1.
const longestTimerMs = 2_147_483_647;

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const abort = () => {
        clearTimeout(timer);
        reject(asError(signal.reason));
      };
      if (signal.aborted) {
        reject(asError(signal.reason));
        return;
      }
      const timer = setTimeout(
        () => {
          signal.removeEventListener("abort", abort);
          resolve();
        },
        Math.min(ms, longestTimerMs),
      );
      signal.addEventListener("abort", abort, { once: true });
    }),
  schedule: (ms, callback) => {
    const timer = setTimeout(callback, Math.min(ms, longestTimerMs));
    return () => {
      clearTimeout(timer);
    };
  },
};

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error("aborted");
}

/**
 * Runs the work of a library until the deadline, even if the library ignores the signal, as the libraries of clouds do
 * while they look for credentials.
 *
 * @param what the work, for messages
 * @throws HttpError `DEADLINE` or `CANCELLED`
 */
export async function withinDeadline<T>(
  { signal, deadline }: CallContext,
  what: string,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const leftMs = Math.min(Math.max(0, deadline - Date.now()), longestTimerMs);
  const ended = AbortSignal.any([signal, AbortSignal.timeout(leftMs)]);
  const failure = (): HttpError =>
    signal.aborted
      ? httpError("CANCELLED", `${what} was interrupted`)
      : httpError("DEADLINE", `the deadline passed before ${what} was finished`);
  if (ended.aborted) throw failure();
  return new Promise<T>((resolve, reject) => {
    const end = (): void => {
      reject(failure());
    };
    ended.addEventListener("abort", end, { once: true });
    run(ended)
      .then(resolve, reject)
      .finally(() => {
        ended.removeEventListener("abort", end);
      });
  });
}

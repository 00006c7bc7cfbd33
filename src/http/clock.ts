/** Time as the client sees it; tests inject one that advances by itself. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason when the signal aborts first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Calls back once after `ms`; the answer takes the appointment back. */
  schedule(ms: number, callback: () => void): () => void;
}

// setTimeout fires at once for anything above 2^31 - 1.
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

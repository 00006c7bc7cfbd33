import type { CallContext } from "./call-context";
import { type HttpError, httpError } from "./http-error";

/** The longest time that a timer of Node.js takes. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * Runs work of a library until the deadline. It ends then even if the library ignores the signal, as those of
 * clouds do while they look for credentials.
 *
 * @param what the work, for messages
 * @throws HttpError `DEADLINE` or `CANCELLED`
 */
export async function withinDeadline<T>(
  { signal, deadline }: CallContext,
  what: string,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const leftMs = Math.min(Math.max(0, deadline - Date.now()), maxTimerMs);
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

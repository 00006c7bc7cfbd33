import type { CallContext } from "../../../http/call-context";
import { KeyError } from "./key-error";

/** The longest time that a timer of Node.js takes. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * Runs work of a service's own library until the deadline. It ends then even if the library ignores the
 * signal, as they do while they look for credentials.
 *
 * @param service the service's name at the start of messages
 * @throws KeyError `DEADLINE` or `CANCELLED`
 */
export async function withinDeadline<T>(
  { signal, deadline }: CallContext,
  service: string,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const leftMs = Math.min(Math.max(0, deadline - Date.now()), maxTimerMs);
  const ended = AbortSignal.any([signal, AbortSignal.timeout(leftMs)]);
  const failure = (): KeyError =>
    signal.aborted
      ? new KeyError("CANCELLED", `${service}: the request was cancelled`)
      : new KeyError("DEADLINE", `${service} did not respond in time`);
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

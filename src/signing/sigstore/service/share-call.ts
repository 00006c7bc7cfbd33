import type { CallContext } from "../../../http/call-context";
import { ServiceError } from "./service-error";

/**
 * Keeps what a call gave for as long as it is good, and lets those who want it at the same time wait for
 * one call instead of making their own.
 *
 * The call goes by the context of who came first. When that one gives up, the next begins anew; any other
 * failure is the failure of all who waited for it.
 */
export function shareCall<T>(
  call: (context: CallContext) => Promise<T>,
  isGood: (value: T) => boolean,
): (context: CallContext) => Promise<T> {
  let kept: { readonly value: T } | undefined;
  let pending: Promise<T> | undefined;

  async function begin(context: CallContext): Promise<T> {
    try {
      const value = await call(context);
      kept = { value };
      return value;
    } finally {
      pending = undefined;
    }
  }

  return async (context) => {
    for (;;) {
      if (kept !== undefined && isGood(kept.value)) return kept.value;
      if (pending === undefined) return (pending = begin(context));
      try {
        return await unlessAborted(pending, context.signal);
      } catch (error) {
        if (context.signal.aborted || !isOver(error)) throw error;
      }
    }
  };
}

function isOver(error: unknown): boolean {
  return error instanceof ServiceError && (error.code === "CANCELLED" || error.code === "DEADLINE");
}

async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => {
      reject(new ServiceError("CANCELLED", "The call was cancelled while it waited for another."));
    };
  });
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

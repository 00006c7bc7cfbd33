import { failureCode, httpError } from "./http-error";

/** A caller that requests a value. Aborting the signal withdraws the request. */
export interface Asker {
  readonly signal: AbortSignal;
}

export interface RenewedValueSettings<T, A extends Asker> {
  /** Gets a new value, on behalf of the first caller. */
  readonly renew: (caller: A) => Promise<T>;
  /** The time at which the value expires, in milliseconds since the epoch; `Infinity` if it never expires. */
  readonly expiresAt: (value: T) => number;
  /** How long before its expiry the value is renewed, in milliseconds. @default 0 */
  readonly marginMs?: number | undefined;
  /** The current time, in milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Returns the value, and renews it if necessary.
 *
 * @param isRejected whether a server has just refused the value. It is then renewed.
 */
export type RenewedValue<T, A extends Asker> = (
  caller: A,
  isRejected?: (value: T) => boolean,
) => Promise<T>;

/**
 * Keeps a value, such as a token, until shortly before it expires. The first caller then renews it
 * for all callers that request it at the same time.
 *
 * If the caller that renews it is aborted, the next caller starts again: no caller is cancelled by
 * another one. Any other failure is returned to all waiting callers, and is not kept.
 */
export function renewedValue<T, A extends Asker>(
  settings: RenewedValueSettings<T, A>,
): RenewedValue<T, A> {
  const { renew, expiresAt, marginMs = 0, now } = settings;
  let kept: { readonly value: T } | undefined;
  let pending: { readonly value: Promise<T>; readonly caller: A } | undefined;

  function begin(caller: A): Promise<T> {
    const value = renewNow(caller);
    const over = (): void => {
      pending = undefined;
    };
    pending = { value, caller };
    value.then(over, over);
    return value;
  }

  async function renewNow(caller: A): Promise<T> {
    const value = await renew(caller);
    kept = { value };
    return value;
  }

  const isGood = (value: T): boolean => now() < expiresAt(value) - marginMs;

  return async (caller, isRejected = () => false) => {
    for (;;) {
      if (kept !== undefined && isGood(kept.value) && !isRejected(kept.value)) return kept.value;
      if (pending === undefined) return begin(caller);
      const joined = pending;
      try {
        return await unlessAborted(joined.value, caller.signal);
      } catch (failure) {
        if (caller.signal.aborted || !hasGivenUp(joined.caller, failure)) throw failure;
      }
    }
  };
}

/**
 * Checks whether a failure was caused by the caller's signal or deadline, and so does not concern
 * the value.
 */
function hasGivenUp({ signal }: Asker, failure: unknown): boolean {
  return signal.aborted || ["CANCELLED", "DEADLINE"].includes(failureCode(failure) ?? "");
}

async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => {
      reject(httpError("CANCELLED", "the request was interrupted while it waited for another one"));
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

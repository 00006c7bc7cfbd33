import { failureCode } from "./failure";
import { HttpError } from "./http-error";

/** Who asks for a value; aborting the signal takes the question back. */
export interface Asker {
  readonly signal: AbortSignal;
}

export interface RenewedValueSettings<T, A extends Asker> {
  /** Gets the value anew, on behalf of whoever came first. */
  readonly renew: (asker: A) => Promise<T>;
  /** Milliseconds since the epoch; `Infinity` for what never expires. */
  readonly expiresAt: (value: T) => number;
  /** How long before that it is renewed. @default 0 */
  readonly marginMs?: number | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The error of an asker that gives up while another renews. @default an `HttpError`, `CANCELLED` */
  readonly interrupted?: (() => Error) | undefined;
}

/** @param isRejected whether a server has just refused the value: it is not given again unless renewing gives it */
export type RenewedValue<T, A extends Asker> = (
  asker: A,
  isRejected?: (value: T) => boolean,
) => Promise<T>;

/**
 * Keeps a value, such as a token, until shortly before it expires; whoever comes first then renews it for all
 * who want it at the same time.
 *
 * When the one who renews gives up, the next begins anew: nobody is cancelled by another. Any other failure
 * is the failure of all who waited, and is not remembered.
 */
export function renewedValue<T, A extends Asker>(
  settings: RenewedValueSettings<T, A>,
): RenewedValue<T, A> {
  const { renew, expiresAt, marginMs = 0, now, interrupted = wasInterrupted } = settings;
  let kept: { readonly value: T } | undefined;
  let pending: { readonly value: Promise<T>; readonly asker: A } | undefined;

  function begin(asker: A): Promise<T> {
    const value = renewNow(asker);
    const over = (): void => {
      pending = undefined;
    };
    pending = { value, asker };
    value.then(over, over);
    return value;
  }

  async function renewNow(asker: A): Promise<T> {
    const value = await renew(asker);
    kept = { value };
    return value;
  }

  const isGood = (value: T): boolean => now() < expiresAt(value) - marginMs;

  return async (asker, isRejected = () => false) => {
    for (;;) {
      if (kept !== undefined && isGood(kept.value) && !isRejected(kept.value)) return kept.value;
      if (pending === undefined) return begin(asker);
      const joined = pending;
      try {
        return await unlessAborted(joined.value, asker.signal, interrupted);
      } catch (failure) {
        if (asker.signal.aborted || !hasGivenUp(joined.asker, failure)) throw failure;
      }
    }
  };
}

/** Whether a failure is that of whoever asked, and says nothing of the value. */
function hasGivenUp({ signal }: Asker, failure: unknown): boolean {
  return signal.aborted || ["CANCELLED", "DEADLINE"].includes(failureCode(failure) ?? "");
}

async function unlessAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal,
  interrupted: () => Error,
): Promise<T> {
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => {
      reject(interrupted());
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

function wasInterrupted(): HttpError {
  const message = "the request was interrupted while it waited for another";
  return new HttpError({ code: "CANCELLED", message });
}

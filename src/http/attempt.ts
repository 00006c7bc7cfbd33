import type { CallContext } from "./call-context";
import type { Clock } from "./clock";
import { type AttemptStage, explainFailure } from "./explain-failure";
import { HttpError } from "./http-error";
import { answerTooLarge, type BodySource } from "./read-body";
import { formatLabel, type RequestLabel } from "./request-label";

/** The settings of one attempt. */
interface AttemptSettings {
  readonly label: RequestLabel;
  readonly context: CallContext;
  readonly clock: Clock;
  /** The longest duration of the attempt. @default until the deadline */
  readonly timeoutMs?: number | undefined;
}

/** The timer of one attempt, from before the connection until the response has been read. */
export interface Attempt {
  /** Aborted when the caller cancels, at the deadline, and when the attempt takes too long. */
  readonly signal: AbortSignal;
  /** Records that the status and headers have arrived. Later failures are `BROKEN_OFF`. */
  answered(): void;
  /** Converts a failure of this attempt to an `HttpError`, with the secrets redacted. */
  explain(failure: unknown, secrets?: readonly string[]): HttpError;
  /** Ends the attempt and stops its timer. */
  end(): void;
  /** Ends the attempt and closes its connection, even if the response has not been read. */
  abandon(): void;
}

/**
 * Begins an attempt and starts its timer.
 *
 * @throws HttpError `CANCELLED` or `DEADLINE` when the call is already cancelled or its deadline
 * has passed
 */
export function beginAttempt(settings: AttemptSettings): Attempt {
  const { label, context, clock, timeoutMs = Infinity } = settings;
  const remainingMs = context.deadline - clock.now();
  if (context.signal.aborted) throw cancelled(label);
  if (remainingMs <= 0) throw deadlinePassed(label);
  const timeout = new AbortController();
  const allowedMs = Math.min(timeoutMs, remainingMs);
  const end = clock.schedule(allowedMs, () => {
    timeout.abort();
  });
  let stage: AttemptStage = "no answer";
  return {
    answered: () => {
      stage = "answering";
    },
    signal: AbortSignal.any([context.signal, timeout.signal]),
    explain(failure, secrets) {
      if (context.signal.aborted) return cancelled(label);
      if (!timeout.signal.aborted) return explainFailure(failure, label, secrets, stage);
      return allowedMs === remainingMs ? deadlinePassed(label) : tooSlow(label, allowedMs);
    },
    end,
    abandon() {
      end();
      timeout.abort();
    },
  };
}

function tooSlow(label: RequestLabel, allowedMs: number): HttpError {
  const message = `${formatLabel(label)} got no response within ${Math.round(allowedMs / 1000)} s`;
  return new HttpError({ code: "TIMEOUT", reason: "TIMEOUT", message });
}

function cancelled(label: RequestLabel): HttpError {
  const message = `${formatLabel(label)} was interrupted`;
  return new HttpError({ code: "CANCELLED", message });
}

function deadlinePassed(label: RequestLabel): HttpError {
  const message = `the deadline passed before ${formatLabel(label)} was finished`;
  return new HttpError({ code: "DEADLINE", message });
}

/** Returns a body as a stream, with the timer of its attempt and a size limit. */
export function watchBody(source: BodySource, maxBytes: number, attempt: Attempt) {
  return {
    body: watched(source, maxBytes, attempt),
    discard: () => {
      attempt.abandon();
    },
  };
}

async function* watched(
  { body }: BodySource,
  maxBytes: number,
  attempt: Attempt,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.byteLength;
      if (size > maxBytes) throw answerTooLarge(maxBytes);
      yield chunk;
    }
  } catch (failure) {
    throw attempt.explain(failure);
  } finally {
    attempt.end();
  }
}

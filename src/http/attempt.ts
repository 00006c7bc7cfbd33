import type { CallContext } from "./call-context";
import type { Clock } from "./clock";
import { explainFailure, type AttemptStage } from "./explain-failure";
import { HttpError } from "./http-error";
import { formatLabel, type RequestLabel } from "./request-label";

export interface AttemptSettings {
  readonly label: RequestLabel;
  readonly context: CallContext;
  readonly clock: Clock;
  /** How long the attempt may take. @default as long as the deadline allows */
  readonly timeoutMs?: number | undefined;
}

/** The clock of one attempt, from before its connection until its answer has been read. */
export interface Attempt {
  /** Aborts at the caller's wish, at the deadline and when the attempt takes too long. */
  readonly signal: AbortSignal;
  /** Says that status and headers are there: what fails from now on was broken off. */
  answered(): void;
  /** What a failure of this attempt means, the secrets blotted out. */
  explain(failure: unknown, secrets?: readonly string[]): HttpError;
  end(): void;
  /** Ends it and closes its connection, though the answer has not been read. */
  abandon(): void;
}

/** @throws HttpError `CANCELLED` or `DEADLINE` when it is too late to begin. */
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
  const message = `${formatLabel(label)} got no answer within ${Math.round(allowedMs / 1000)} s`;
  return new HttpError({ code: "TIMEOUT", reason: "TIMEOUT", message });
}

function cancelled(label: RequestLabel): HttpError {
  const message = `${formatLabel(label)} was interrupted`;
  return new HttpError({ code: "CANCELLED", message });
}

function deadlinePassed(label: RequestLabel): HttpError {
  const message = `the time was over before ${formatLabel(label)} was done`;
  return new HttpError({ code: "DEADLINE", message });
}

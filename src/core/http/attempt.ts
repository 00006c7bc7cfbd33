import type { CallContext, Clock } from "./call-context";
import { type AttemptStage, explainFailure } from "./explain-failure";
import { type HttpError, httpError } from "./http-error";
import { formatLabel, type RequestLabel } from "./request-label";
import { answerTooLargeCode, failureOf } from "./failure";

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
  return httpError("TIMEOUT", message);
}

function cancelled(label: RequestLabel): HttpError {
  return httpError("CANCELLED", `${formatLabel(label)} was interrupted`);
}

function deadlinePassed(label: RequestLabel): HttpError {
  return httpError("DEADLINE", `the deadline passed before ${formatLabel(label)} was finished`);
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

interface BodySource {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Reads the whole body of a response.
 *
 * @throws Error with the code `ANSWER_TOO_LARGE` as soon as the body is known to be larger than
 * `maxBytes`: by its Content-Length, otherwise while reading it
 */
export async function readBody({ headers, body }: BodySource, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    // Checked inside the loop, because leaving the loop closes the connection.
    if (size > maxBytes || announcedBytes(headers) > maxBytes) throw answerTooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Reads up to `maxBytes` of a body, to quote it in a message. Ignores failures. */
export async function readStart({ body }: BodySource, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size >= maxBytes) break;
    }
  } catch {
    // The status is enough.
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

/** Reads and discards an unneeded body if it is short, so that its connection can be reused. */
export async function discardBody(source: BodySource): Promise<void> {
  await readBody(source, 65_536).catch(() => undefined);
}

function announcedBytes(headers: BodySource["headers"]): number {
  const text = headers["content-length"] ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

function answerTooLarge(maxBytes: number): Error {
  return failureOf(answerTooLargeCode, `the response is larger than ${formatBytes(maxBytes)}`);
}

function formatBytes(bytes: number): string {
  if (bytes >= 1_000_000) return `${Math.round(bytes / 1_000_000)} MB`;
  return bytes >= 1_000 ? `${Math.round(bytes / 1_000)} kB` : `${bytes} bytes`;
}

import type { CallContext, Clock } from "./call-context";
import {
  answerTooLargeCode,
  failureCode,
  failureMessage,
  failureOf,
  type HttpError,
  httpError,
  isHttpError,
} from "./http-error";
import { formatLabel, type RequestLabel } from "./request-label";
import { serverMessage } from "./server-message";
import { serverSilent } from "./transport";

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
  /** Records that the status and headers have arrived. Failures after that are `BROKEN_OFF`. */
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
  const end = clock.schedule(allowedMs, () => timeout.abort());
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

/** The progress of an attempt: `answering` after the status and headers of a response have arrived. */
type AttemptStage = "no answer" | "answering";

function explainFailure(
  failure: unknown,
  label: RequestLabel,
  secrets: readonly string[] = [],
  stage: AttemptStage,
): HttpError {
  if (isHttpError(failure)) return failure;
  const reason = failureCode(failure);
  const message = serverMessage(failureMessage(failure), secrets);
  if (reason === answerTooLargeCode) {
    return httpError("TOO_LARGE", `${formatLabel(label)}: ${message}`, { cause: failure });
  }
  const code = reason === serverSilent ? "TIMEOUT" : stageCodes[stage];
  const what = stage === "answering" ? "got an incomplete response" : "got no response";
  const explained = `${formatLabel(label)} ${what}: ${explain(reason, message, label, stage)}`;
  return httpError(code, explained, { cause: failure });
}

const stageCodes = { "no answer": "NO_ANSWER", answering: "BROKEN_OFF" } as const;

function explain(
  reason: string | undefined,
  message: string,
  { url }: RequestLabel,
  stage: AttemptStage,
): string {
  if (reason === undefined) return message === "" ? "the system gives no reason" : message;
  if (reason === "ECONNREFUSED") return `no server is listening on ${url.host}`;
  if (reason === "ENOTFOUND") return `the host name ${url.hostname} cannot be resolved`;
  if (reason === serverSilent) return `the server stopped responding (${reason})`;
  if (reason === "ECONNRESET") {
    const when = stage === "answering" ? "during" : "before";
    return `the connection was closed ${when} the response (${reason})`;
  }
  return message === "" ? reason : `${message} (${reason})`;
}

/** Returns a body as a stream, with a size limit. Its end stops the timer of the attempt. */
export async function* watchBody(
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

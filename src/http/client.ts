import { beginAttempt, type Attempt } from "./attempt";
import type { CallContext, ClientLog } from "./call-context";
import { systemClock, type Clock } from "./clock";
import { HttpError } from "./http-error";
import { lazyTransport } from "./lazy-transport";
import { discardBody, readBody, readStart } from "./read-body";
import { maxRedirects, nextHop, tooManyRedirects, type Hop, type RedirectPolicy } from "./redirect";
import { formatLabel } from "./request-label";
import { repeat, type AttemptNumber } from "./repeat";
import { noRetry, type RetryPolicy } from "./retry-policy";
import { secretsIn } from "./secrets-in";
import type { Transport, TransportRequest } from "./transport";
import { watchBody } from "./watch-body";

export interface OutgoingRequest {
  readonly method: TransportRequest["method"];
  readonly url: string | URL;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A function is called once for each attempt; give a `content-length` header if it is known. */
  readonly body?: string | Uint8Array | (() => AsyncIterable<Uint8Array>) | undefined;
  readonly context: CallContext;
  readonly limits: RequestLimits;
  /** @default "return" */
  readonly redirects?: RedirectPolicy | undefined;
  /** @default noRetry */
  readonly retry?: RetryPolicy | undefined;
}

export interface RequestLimits {
  /** Of the answer's body. */
  readonly maxBytes: number;
  /** How long one attempt may take, its body included. @default as long as the deadline allows */
  readonly attemptMs?: number | undefined;
  /** How long the server may be silent, before the answer or within it. @default 60000 */
  readonly silenceMs?: number | undefined;
}

interface AnswerHead {
  readonly status: number;
  /** Lower-case names; of a repeated header the first value. */
  readonly headers: Readonly<Record<string, string>>;
  /** Where the answer came from, after redirects. */
  readonly url: URL;
}

export interface HttpAnswer extends AnswerHead {
  readonly body: Buffer;
}

export interface StreamedAnswer extends AnswerHead {
  /**
   * To be read once; leaving early closes the connection. Failures are `HttpError`. Of an answer that
   * is not 2xx it holds the first bytes only.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** Instead of reading the body. */
  discard(): void;
}

/**
 * HTTP with deadlines, limits, redirects and retries.
 *
 * Answers of any status are answers; no usable answer is an `HttpError`. What `open` gave must be read,
 * or discarded: its connection and its timer are held until then.
 */
export interface HttpClient {
  request(request: OutgoingRequest): Promise<HttpAnswer>;
  open(request: OutgoingRequest): Promise<StreamedAnswer>;
  /** Drops open connections. */
  close(): Promise<void>;
}

export interface HttpClientSettings {
  /** @default "trivet" */
  readonly userAgent?: string | undefined;
  readonly transport?: Transport | undefined;
  readonly clock?: Clock | undefined;
  /** Between 0 and 1, spreads the retries. @default Math.random */
  readonly random?: (() => number) | undefined;
  readonly log?: ClientLog | undefined;
}

const defaultSilenceMs = 60_000;
const maxQuotedBytes = 65_536;

export function createHttpClient(settings: HttpClientSettings = {}): HttpClient {
  const { transport = lazyTransport(), clock = systemClock, random = Math.random } = settings;
  const { userAgent = "trivet", log = () => undefined } = settings;

  /** Follows redirects within one attempt. */
  async function send(request: OutgoingRequest, first: Hop, attempt: Attempt) {
    const { body, limits, redirects = "return" } = request;
    let hop = first;
    for (let followed = 0; ; followed++) {
      const answer = await transport.send({
        method: hop.method,
        url: hop.url.href,
        headers: hop.headers,
        body: typeof body === "function" ? body() : body,
        signal: attempt.signal,
        silenceMs: limits.silenceMs ?? defaultSilenceMs,
      });
      const next = nextHop(hop, answer, redirects);
      if (next === undefined) {
        attempt.answered();
        return { ...answer, url: hop.url };
      }
      await discardBody(answer);
      if (followed === maxRedirects) throw tooManyRedirects(first);
      hop = next;
    }
  }

  /**
   * Attempts until the policy is content; `run` reads as much of the answer as the policy is to see,
   * or nothing when it is not to be asked.
   */
  async function untilContent<T extends AnswerHead>(
    request: OutgoingRequest,
    run: (first: Hop, attempt: Attempt) => Promise<Answered<T>>,
  ): Promise<T> {
    const { method, context, retry = noRetry, limits } = request;
    const url = parseUrl(request);
    const headers: Record<string, string> = {
      "user-agent": userAgent,
      "accept-encoding": "identity",
    };
    for (const [name, value] of Object.entries(request.headers ?? {})) {
      headers[name.toLowerCase()] = value;
    }
    const label = { method, url };
    const secrets = secretsIn(headers);
    const end = await repeat<AttemptEnd<T>>({
      context,
      clock,
      random,
      log,
      async attempt() {
        const attempt = beginAttempt({ label, context, clock, timeoutMs: limits.attemptMs });
        return run({ method, url, headers }, attempt).catch((failure: unknown) => {
          attempt.end();
          return { error: attempt.explain(failure, secrets) };
        });
      },
      describe: (end) => ({
        message: "error" in end ? "got no answer" : "got an answer",
        fields: {
          request: formatLabel(label),
          ...("error" in end ? { code: end.error.code } : { status: end.answer.status }),
        },
      }),
      waitMs: (end, attempt) => waitAfter(end, retry, attempt),
    });
    if ("error" in end) throw end.error;
    return end.answer;
  }

  return {
    request: (request) =>
      untilContent(request, async (first, attempt) => {
        const { status, headers, url, body } = await send(request, first, attempt);
        const bytes = await readBody({ headers, body }, request.limits.maxBytes);
        attempt.end();
        return { answer: { status, headers, url, body: bytes }, seen: bytes };
      }),
    open: (request) =>
      untilContent(request, async (first, attempt) => {
        const { status, headers, url, body } = await send(request, first, attempt);
        if (status >= 200 && status < 300) {
          const watched = watchBody({ headers, body }, request.limits.maxBytes, attempt);
          return { answer: { status, headers, url, ...watched }, seen: undefined };
        }
        const seen = await readStart({ headers, body }, maxQuotedBytes);
        attempt.end();
        const start = { body: once(seen), discard: () => undefined };
        return { answer: { status, headers, url, ...start }, seen };
      }),
    close: () => transport.close(),
  };
}

interface Answered<T> {
  readonly answer: T;
  readonly seen: Buffer | undefined;
}

type AttemptEnd<T> = Answered<T> | { readonly error: HttpError };

function waitAfter(
  end: AttemptEnd<AnswerHead>,
  retry: RetryPolicy,
  attempt: AttemptNumber,
): number | undefined {
  if ("error" in end) return retry(end, attempt);
  const { answer, seen } = end;
  if (seen === undefined) return undefined;
  return retry({ status: answer.status, headers: answer.headers, body: seen }, attempt);
}

// eslint-disable-next-line @typescript-eslint/require-await
async function* once(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function parseUrl({ method, url: text }: OutgoingRequest): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new HttpError({ code: "URL", message: `${method}: the URL cannot be parsed` });
  }
  const problem = problemOf(url);
  if (problem === undefined) return url;
  throw new HttpError({
    code: "URL",
    message: `${formatLabel({ method, url })}: the URL ${problem}`,
  });
}

function problemOf(url: URL): string | undefined {
  if (url.protocol !== "https:" && url.protocol !== "http:") return "must begin with https or http";
  return url.username === "" && url.password === "" ? undefined : "must not hold credentials";
}

import { type Attempt, beginAttempt, discardBody, readBody, readStart, watchBody } from "./attempt";
import {
  type AttemptNumber,
  noRetry,
  repeat,
  reportAttempt,
  type RetryPolicy,
  withAttempts,
} from "./retry";
import { type CallContext, type ClientLog, type Clock, systemClock } from "./call-context";
import type { HttpError } from "./http-error";
import { type Hop, maxRedirects, nextHop, type RedirectPolicy, tooManyRedirects } from "./redirect";
import { parseUrl, secretsIn } from "./request-label";
import type { Transport, TransportRequest } from "./transport";

/** One logical request, which may need several attempts. */
export interface OutgoingRequest {
  readonly method: TransportRequest["method"];
  readonly url: string | URL;
  /** A function is called once per attempt, and its time is part of the attempt's. @default none */
  readonly headers?:
    RequestHeaders | ((attempt: AbortSignal) => Promise<RequestHeaders>) | undefined;
  /**
   * A function is called once per attempt. Set the header `content-length` if the length is known.
   *
   * @default no body
   */
  readonly body?: string | Uint8Array | (() => AsyncIterable<Uint8Array>) | undefined;
  readonly context: CallContext;
  readonly limits: RequestLimits;
  /** The handling of redirects. @default "return" */
  readonly redirects?: RedirectPolicy | undefined;
  /** Decides about further attempts. @default noRetry */
  readonly retry?: RetryPolicy | undefined;
  /** See {@link TransportRequest}. @default false */
  readonly mayLackTls?: boolean | undefined;
  /** See {@link TransportRequest}. @default none */
  readonly rootCertificates?: string | undefined;
}

type RequestHeaders = Readonly<Record<string, string>>;

export interface RequestLimits {
  /** The maximum size of the response body, in bytes. */
  readonly maxBytes: number;
  /** The longest duration of one attempt, including the body. @default until the deadline */
  readonly attemptMs?: number | undefined;
  /**
   * The longest time without data from the server, before or during the response; 0 for no limit.
   *
   * @default 60000
   */
  readonly silenceMs?: number | undefined;
}

interface ResponseHead {
  readonly status: number;
  /** Names are lowercase. Only the first value of a repeated header is kept. */
  readonly headers: Readonly<Record<string, string>>;
  /** The URL of the response, after redirects. */
  readonly url: URL;
  /** How many attempts were made, with that of this response. */
  readonly attempts: number;
}

/** A response whose body has been read. */
export interface HttpResponse extends ResponseHead {
  readonly body: Buffer;
}

/** A response whose body is read as a stream. */
export interface StreamedResponse extends ResponseHead {
  /**
   * Can be read once. Leaving the loop early closes the connection. Failures are `HttpError`. If
   * the status is not 2xx, it contains only the first 64 KiB.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection without reading the body. */
  discard(): void;
}

/**
 * An HTTP client with deadlines, limits, redirects and retries.
 *
 * A response of any status is returned. If there is no usable response, an `HttpError` is thrown.
 * The body of `open` must be read or discarded: until then, its connection and its timer stay
 * active.
 */
export interface HttpClient {
  /** Sends a request and reads the whole response. */
  request(request: OutgoingRequest): Promise<HttpResponse>;
  /** Sends a request and returns the response before its body has been read. */
  open(request: OutgoingRequest): Promise<StreamedResponse>;
  close(): Promise<void>;
}

interface HttpClientSettings {
  /** The User-Agent header. @default "trivet" */
  readonly userAgent?: string | undefined;
  /** @default lazyTransport() */
  readonly transport?: Transport | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
  /** Returns a number between 0 and 1, for the jitter of retries. @default Math.random */
  readonly random?: (() => number) | undefined;
  /** @default no log */
  readonly log?: ClientLog | undefined;
}

const defaultSilenceMs = 60_000;
const maxQuotedBytes = 65_536;

export function createHttpClient(settings: HttpClientSettings = {}): HttpClient {
  const { transport = lazyTransport(), clock = systemClock, random = Math.random } = settings;
  const { userAgent = "trivet", log } = settings;

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
        mayLackTls: request.mayLackTls,
        rootCertificates: request.rootCertificates,
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
   * Makes attempts until the policy asks for no more. `run` returns the part of the body that the
   * policy sees, or undefined to skip the policy.
   */
  async function withRetries<T extends Omit<ResponseHead, "attempts">>(
    request: OutgoingRequest,
    run: (first: Hop, attempt: Attempt) => Promise<Answered<T>>,
  ): Promise<T & { readonly attempts: number }> {
    const { method, context, retry = noRetry, limits } = request;
    const url = parseUrl(request);
    const label = { method, url };
    let attempts = 0;
    const end = await repeat<AttemptEnd<T>>({
      context,
      clock,
      random,
      log,
      async attempt(number) {
        attempts = number;
        const attempt = beginAttempt({ label, context, clock, timeoutMs: limits.attemptMs });
        let secrets: readonly string[] = [];
        try {
          const headers = await headersOf(request, attempt.signal);
          secrets = secretsIn(headers);
          return await run({ method, url, headers }, attempt);
        } catch (failure) {
          attempt.end();
          return { error: attempt.explain(failure, secrets) };
        }
      },
      describe: (end) => reportAttempt(label, "error" in end ? end : end.answer, clock.now()),
      waitMs: (end, attempt) => waitAfter(end, retry, attempt),
    });
    if ("error" in end) throw withAttempts(end.error, attempts);
    return { ...end.answer, attempts };
  }

  async function headersOf({ headers = {} }: OutgoingRequest, signal: AbortSignal) {
    const all: Record<string, string> = { "user-agent": userAgent, "accept-encoding": "identity" };
    const given = typeof headers === "function" ? await headers(signal) : headers;
    for (const [name, value] of Object.entries(given)) all[name.toLowerCase()] = value;
    return all;
  }

  return {
    request: (request) =>
      withRetries(request, async (first, attempt) => {
        const { status, headers, url, body } = await send(request, first, attempt);
        const bytes = await readBody({ headers, body }, request.limits.maxBytes);
        attempt.end();
        return { answer: { status, headers, url, body: bytes }, seen: bytes };
      }),
    open: (request) =>
      withRetries(request, async (first, attempt) => {
        const { status, headers, url, body } = await send(request, first, attempt);
        if (status >= 200 && status < 300) {
          const watched = watchBody({ headers, body }, request.limits.maxBytes, attempt);
          const discard = () => attempt.abandon();
          return { answer: { status, headers, url, body: watched, discard }, seen: undefined };
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
  end: AttemptEnd<Pick<ResponseHead, "status" | "headers">>,
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

/**
 * Creates a transport that is loaded with the first request, so that a plan without requests does
 * not load it.
 */
export function lazyTransport(environment: Readonly<NodeJS.ProcessEnv> = process.env): Transport {
  let loaded: Promise<Transport> | undefined;
  return {
    async send(request) {
      loaded ??= import("./node-transport.js").then(({ createNodeTransport }) =>
        createNodeTransport(environment),
      );
      return (await loaded).send(request);
    },
    async close() {
      const transport = loaded;
      loaded = undefined;
      await (await transport)?.close();
    },
  };
}

import { ApiError } from "./api-error";
import type { CallOptions, ClientLog } from "./call-options";
import type { Clock } from "./clock";
import { isJsonObject, parseJson } from "./json";
import { parseRetryAfter } from "./retry-after";
import { maxAttempts, retryDelayMs } from "./retry";
import { serverWords } from "./server-words";
import { statusToError } from "./status";
import type { TokenSource } from "./token-source";
import type { HttpAnswer, HttpRequest, Transport } from "./transport";
import { formatLabel, transportError } from "./transport-error";

export interface RestRequest {
  readonly method: HttpRequest["method"];
  /** Below the base URL, already percent-encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** @default maxAttempts */
  readonly attempts?: number;
}

export interface RestCallSettings {
  readonly baseUrl: string;
  readonly token: TokenSource | undefined;
  readonly requestTimeoutMs: number;
  readonly userAgent: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: ClientLog;
  readonly transport: Transport;
}

export type RestCall = (
  request: RestRequest,
  options: CallOptions,
) => Promise<Readonly<Record<string, unknown>>>;

const maxAnswerBytes = 10_000_000;

/** One logical request: attempts, tokens, time-outs and waits until there is a JSON object or an error. */
export function createRestCall(settings: RestCallSettings): RestCall {
  const { clock, log, random } = settings;
  return async (request, options) => {
    const url = new URL(request.path, settings.baseUrl);
    for (const [name, value] of Object.entries({ ...request.query, alt: "json" })) {
      url.searchParams.set(name, value);
    }
    const label = { method: request.method, url };
    const limit = request.attempts ?? maxAttempts;
    let refusal: Refusal | undefined;
    for (let number = 1; ; number++) {
      const attempt = await attemptOnce(settings, request, url, options, refusal);
      const fields = { request: formatLabel(label), attempt: number };
      if (attempt.answer !== undefined) {
        log("debug", "the service answered", { ...fields, status: attempt.status });
        return attempt.answer;
      }
      const { error, token } = attempt;
      log("debug", "the service refused or did not answer", { ...fields, code: error.code });
      // Once only: what a fresh token cannot open stays closed.
      if (error.httpStatus === 401 && token !== undefined && refusal === undefined) {
        refusal = { token, error };
        continue;
      }
      const delayMs = retryDelayMs(error, { number, limit, random });
      if (delayMs === undefined || clock.now() + delayMs >= options.deadline) throw error;
      log("warn", "repeating a request", { ...fields, code: error.code, waitMs: delayMs });
      await clock.sleep(delayMs, options.signal).catch(() => undefined);
    }
  };
}

/** A token that the server did not accept, and what it said. */
interface Refusal {
  readonly token: string;
  readonly error: ApiError;
}

type Attempt =
  | { readonly answer: Readonly<Record<string, unknown>>; readonly status: number }
  | { readonly answer?: undefined; readonly error: ApiError; readonly token: string | undefined };

async function attemptOnce(
  settings: RestCallSettings,
  request: RestRequest,
  url: URL,
  options: CallOptions,
  refusal: Refusal | undefined,
): Promise<Attempt> {
  const { clock, requestTimeoutMs } = settings;
  const label = { method: request.method, url };
  const remainingMs = options.deadline - clock.now();
  if (isAborted(options.signal)) throw cancelled(formatLabel(label));
  if (remainingMs <= 0) throw deadlinePassed(formatLabel(label));
  const timeout = new AbortController();
  const timeoutMs = Math.min(requestTimeoutMs, remainingMs);
  const takeBack = clock.schedule(timeoutMs, () => {
    timeout.abort();
  });
  const signal = AbortSignal.any([options.signal, timeout.signal]);
  let token: string | undefined;
  try {
    token = await settings.token?.token({ signal, rejected: refusal?.token });
    if (refusal !== undefined && token === refusal.token) throw refusal.error;
    const body = request.body === undefined ? undefined : JSON.stringify(request.body);
    const answer = await settings.transport.send({
      method: request.method,
      url: url.href,
      headers: {
        accept: "application/json",
        "user-agent": settings.userAgent,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body,
      signal,
      maxAnswerBytes,
    });
    return interpret(answer, formatLabel(label), token, clock.now());
  } catch (failure) {
    if (isAborted(options.signal)) throw cancelled(formatLabel(label));
    if (isAborted(timeout.signal)) {
      if (timeoutMs === remainingMs) throw deadlinePassed(formatLabel(label));
      const seconds = Math.round(timeoutMs / 1000);
      const error = new ApiError({
        code: "TRANSPORT",
        reason: "TIMEOUT",
        message: `${formatLabel(label)} got no answer within ${seconds} s`,
      });
      return { error, token };
    }
    if (failure instanceof ApiError) throw failure;
    return { error: transportError(failure, label, token), token };
  } finally {
    takeBack();
  }
}

function interpret(
  answer: HttpAnswer,
  label: string,
  token: string | undefined,
  now: number,
): Attempt {
  const { status, headers, body } = answer;
  const json = parseJson(body);
  if (status >= 200 && status < 300 && isJsonObject(json)) return { answer: json, status };
  const retryAfterMs = parseRetryAfter(headers["retry-after"], now);
  const context = { httpStatus: status, retryAfterMs, secret: token };
  const known = isJsonObject(json) ? statusToError(json["error"], context) : undefined;
  const redirect = status >= 300 && status < 400 ? "; redirects are not followed" : "";
  const type = serverWords(headers["content-type"] ?? "no content type", token);
  const error =
    known ??
    new ApiError({
      // Never NOT_FOUND: a proxy's 404 page must not drop an endpoint from the state.
      code: "MALFORMED_ANSWER",
      message: `${label} was answered with HTTP ${status} (${type}), which is not the API's: "${serverWords(body, token)}"${redirect}`,
      httpStatus: status,
      retryAfterMs,
    });
  return { error, token };
}

// A function, since the compiler takes a signal that was not aborted for one that never will be.
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

function cancelled(label: string): ApiError {
  return new ApiError({ code: "CANCELLED_BY_USER", message: `${label} was interrupted` });
}

function deadlinePassed(label: string): ApiError {
  return new ApiError({ code: "DEADLINE", message: `the time was over before ${label} was done` });
}

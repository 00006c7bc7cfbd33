import { isObject } from "../../json/is-object";
import {
  beginAttempt,
  type AttemptSettings,
  type Attempt as HttpAttempt,
} from "../../http/attempt";
import type { CallContext, ClientLog } from "../../http/call-context";
import type { Clock } from "../../http/clock";
import { explainFailure } from "../../http/explain-failure";
import type { HttpError, HttpErrorCode } from "../../http/http-error";
import { isLoopbackHost } from "../../schema/loopback";
import { readBody } from "../../http/read-body";
import { formatLabel, type RequestLabel } from "../../http/request-label";
import { repeat } from "../../http/repeat";
import { parseRetryAfter } from "../../http/retry-policy";
import { serverMessage } from "../../http/server-message";
import type { Transport, TransportAnswer, TransportRequest } from "../../http/transport";
import { ApiError, type ApiErrorCode } from "./api-error";
import { pageText } from "./page-text";
import { maxRequestAttempts, retryDelayMs } from "./retry";
import { statusToError } from "./status";
import type { TokenSource } from "./token-source";
import { parsedJson } from "../../json/plain-json";

/** One request to the REST API. */
export interface RestRequest {
  readonly method: TransportRequest["method"];
  /** The path relative to the base URL, percent-encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** The maximum number of attempts. @default maxRequestAttempts */
  readonly attempts?: number;
}

/** The settings of {@link createRestCall}. */
interface RestCallSettings {
  readonly baseUrl: string;
  readonly token: TokenSource | undefined;
  readonly requestTimeoutMs: number;
  readonly userAgent: string;
  /** Returns the project whose quota a request uses, given the project in its path. */
  readonly userProject: (project: string | undefined) => string | undefined;
  readonly requestReason: string | undefined;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: ClientLog;
  readonly transport: Transport;
}

/** Sends a request and returns the JSON object of the response. Throws only `ApiError`. */
export type RestCall = (
  request: RestRequest,
  options: CallContext,
) => Promise<Readonly<Record<string, unknown>>>;

const maxAnswerBytes = 10_000_000;

/** Creates a function that sends requests, with tokens, timeouts and retries. */
export function createRestCall(settings: RestCallSettings): RestCall {
  const { clock, log, random } = settings;
  return async (request, options) => {
    const url = new URL(request.path, settings.baseUrl);
    for (const [name, value] of Object.entries({ ...request.query, alt: "json" })) {
      url.searchParams.set(name, value);
    }
    const label = { method: request.method, url };
    const limit = request.attempts ?? maxRequestAttempts;
    let refusal: Refusal | undefined;
    const end = await repeat<Attempt>({
      context: options,
      clock,
      random,
      log,
      attempt: () => attemptOnce(settings, request, url, options, refusal),
      describe(end) {
        const { answer } = end;
        const isAnswered = answer !== undefined;
        return {
          message: isAnswered ? "the service responded" : "the service refused or did not respond",
          fields: {
            request: formatLabel(label),
            ...(isAnswered ? { status: end.status } : { code: end.error.code }),
          },
        };
      },
      waitMs(end, attempt) {
        if (end.answer !== undefined) return undefined;
        const { error, token } = end;
        // Only once: if a new token is refused too, another one will not help.
        if (error.httpStatus === 401 && token !== undefined && refusal === undefined) {
          refusal = { token, error };
          return 0;
        }
        return retryDelayMs(error, attempt, limit);
      },
    });
    if (end.answer === undefined) throw end.error;
    return end.answer;
  };
}

/** A token that the server refused, with its error. */
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
  options: CallContext,
  refusal: Refusal | undefined,
): Promise<Attempt> {
  const { clock, requestTimeoutMs } = settings;
  const label = { method: request.method, url };
  const attempt = begin({ label, context: options, clock, timeoutMs: requestTimeoutMs });
  const { signal } = attempt;
  let token: string | undefined;
  try {
    token = await settings.token?.token({
      signal,
      deadline: options.deadline,
      rejected: refusal?.token,
    });
    if (refusal !== undefined && token === refusal.token) throw refusal.error;
    const body = request.body === undefined ? undefined : JSON.stringify(request.body);
    const answer = await settings.transport.send({
      method: request.method,
      url: url.href,
      headers: {
        accept: "application/json",
        "user-agent": settings.userAgent,
        ...quotaHeaders(settings, request.path),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body,
      signal,
    });
    const bytes = await readBody(answer, maxAnswerBytes);
    return interpret(answer, bytes.toString("utf8"), formatLabel(label), token, clock.now());
  } catch (failure) {
    const error = attempt.explain(failure, token === undefined ? [] : [token]);
    if (error.code === "CANCELLED" || error.code === "DEADLINE") throw transportError(error, label);
    if (failure instanceof ApiError && error.code !== "TIMEOUT") throw failure;
    return { error: transportError(error, label), token };
  } finally {
    attempt.end();
  }
}

function quotaHeaders(
  { userProject, requestReason }: RestCallSettings,
  path: string,
): Readonly<Record<string, string>> {
  const [, encoded] = /^projects\/([^/]+)/.exec(path) ?? [];
  const project = userProject(encoded === undefined ? undefined : decodeURIComponent(encoded));
  return {
    ...(project === undefined ? {} : { "x-goog-user-project": project }),
    ...(requestReason === undefined ? {} : { "x-goog-request-reason": requestReason }),
  };
}

function begin(settings: AttemptSettings): HttpAttempt {
  try {
    return beginAttempt(settings);
  } catch (failure) {
    throw transportError(explainFailure(failure, settings.label), settings.label);
  }
}

function interpret(
  answer: TransportAnswer,
  body: string,
  label: string,
  token: string | undefined,
  now: number,
): Attempt {
  const { status, headers } = answer;
  const json = parsedJson(body);
  if (status >= 200 && status < 300 && isObject(json)) return { answer: json, status };
  const retryAfterMs = parseRetryAfter(headers["retry-after"], now);
  const context = { httpStatus: status, retryAfterMs, secret: token };
  const known = isObject(json) ? statusToError(json["error"], context) : undefined;
  const redirect = status >= 300 && status < 400 ? "; redirects are not followed" : "";
  const type = serverMessage(headers["content-type"] ?? "no content type", token);
  const error =
    known ??
    new ApiError({
      // Never NOT_FOUND: a proxy's 404 page must not drop an endpoint from the state.
      code: "MALFORMED_ANSWER",
      message: `${label} returned HTTP ${status} (${type}), which is not a response of the API: "${serverMessage(pageText(body), token)}"${redirect}`,
      httpStatus: status,
      retryAfterMs,
    });
  return { error, token };
}

const codes: Readonly<Partial<Record<HttpErrorCode, ApiErrorCode>>> = {
  CANCELLED: "CANCELLED_BY_USER",
  DEADLINE: "DEADLINE",
};

/** Converts a failure to an `ApiError`. Its `reason` is the code of Node.js. */
function transportError(error: HttpError, { url }: RequestLabel): ApiError {
  const isLocal = error.reason === "ECONNREFUSED" && isLoopbackHost(url.hostname);
  const hint = isLocal ? "; is the local back end (`trivet local ids`) running?" : "";
  return new ApiError({
    code: codes[error.code] ?? "TRANSPORT",
    message: `${error.message}${hint}`,
    reason: error.reason,
  });
}

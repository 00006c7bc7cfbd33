import type { CallContext } from "../../http/call-context";
import type { HttpClient, HttpResponse } from "../../http/client";
import { type HttpError, isHttpError, reasonOf } from "../../http/http-error";
import { formatLabel, type RequestLabel } from "../../http/request-label";
import { parseRetryAfter } from "../../http/retry";
import { serverMessage } from "../../http/server-message";
import type { TransportRequest } from "../../http/transport";
import { isObject, parsedJson } from "../../json/plain-json";
import { isLoopbackHost } from "../../schema";
import { ApiError, callerCodes, statusToError } from "./api-error";
import { maxRequestAttempts, retryDelayMs } from "./retry";
import type { TokenSource } from "./token-source";

interface RestRequest {
  readonly method: TransportRequest["method"];
  /** The path relative to the base URL, percent-encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** The maximum number of attempts. @default maxRequestAttempts */
  readonly attempts?: number;
}

/** The project whose quota requests use: this one, or that of the resource in the path of each. */
export type UserProject = { readonly id: string } | "that of the resource";

interface RestCallSettings {
  readonly http: HttpClient;
  readonly baseUrl: string;
  readonly token: TokenSource | undefined;
  readonly requestTimeoutMs: number;
  readonly userProject: UserProject | undefined;
  readonly requestReason: string | undefined;
  readonly now: () => number;
}

/** Sends a request and returns the JSON object of the response. Throws only `ApiError`. */
export type RestCall = (
  request: RestRequest,
  options: CallContext,
) => Promise<Readonly<Record<string, unknown>>>;

const maxBytes = 10_000_000;

/** Creates a function that sends requests, with tokens, timeouts and retries. */
export function createRestCall(settings: RestCallSettings): RestCall {
  const { http, now, requestTimeoutMs } = settings;
  return async ({ method, path, query, body, attempts = maxRequestAttempts }, context) => {
    const url = new URL(path, settings.baseUrl);
    for (const [name, value] of Object.entries({ ...query, alt: "json" })) {
      url.searchParams.set(name, value);
    }
    const label = { method, url };
    let token: string | undefined;
    let refusal: Refusal | undefined;
    // The retry policy reads each response: it is not parsed again.
    const seen: { last?: Interpreted | undefined } = {};
    try {
      const answer = await http.request({
        method,
        url,
        context,
        body: body && JSON.stringify(body),
        // The attempt itself is limited, and a slow service is not broken.
        limits: { maxBytes, attemptMs: requestTimeoutMs, silenceMs: 0 },
        async headers(signal) {
          const { deadline } = context;
          const rejected = refusal?.token;
          token = await settings.token?.token({ signal, deadline, rejected });
          if (refusal !== undefined && token === refusal.token) throw refusal.error;
          return {
            accept: "application/json",
            ...quotaHeaders(settings, path),
            ...(body && { "content-type": "application/json" }),
            ...(token !== undefined && { authorization: `Bearer ${token}` }),
          };
        },
        retry(outcome, attempt) {
          if (outcome.error?.cause instanceof ApiError) return undefined;
          let error: ApiError | undefined;
          if (outcome.error === undefined) {
            seen.last = interpret(outcome, label, token, attempt.now);
            error = seen.last.error;
          } else error = transportError(outcome.error, label);
          if (error === undefined) return undefined;
          // Only once: if a new token is refused too, another one will not help.
          if (error.httpStatus === 401 && token !== undefined && refusal === undefined) {
            refusal = { token, error };
            return 0;
          }
          return retryDelayMs(error, attempt, attempts);
        },
      });
      const { json, error } = seen.last ?? interpret(answer, label, token, now());
      if (json !== undefined) return json;
      throw error;
    } catch (failure) {
      if (!isHttpError(failure)) throw failure;
      // The error of an attempt that takes too long has no cause.
      throw failure.cause instanceof ApiError ? failure.cause : transportError(failure, label);
    }
  };
}

interface Refusal {
  readonly token: string;
  readonly error: ApiError;
}

function quotaHeaders(
  { userProject, requestReason }: RestCallSettings,
  path: string,
): Readonly<Record<string, string>> {
  const project = typeof userProject === "object" ? userProject.id : userProject && projectIn(path);
  return {
    ...(project === undefined ? {} : { "x-goog-user-project": project }),
    ...(requestReason === undefined ? {} : { "x-goog-request-reason": requestReason }),
  };
}

function projectIn(path: string): string | undefined {
  const [, encoded] = /^projects\/([^/]+)/.exec(path) ?? [];
  return encoded === undefined ? undefined : decodeURIComponent(encoded);
}

type Interpreted =
  | { readonly json: Readonly<Record<string, unknown>>; readonly error?: undefined }
  | { readonly json?: undefined; readonly error: ApiError };

function interpret(
  { status, headers, body }: Pick<HttpResponse, "status" | "headers" | "body">,
  label: RequestLabel,
  token: string | undefined,
  now: number,
): Interpreted {
  const text = body.toString("utf8");
  const json = parsedJson(text);
  if (status >= 200 && status < 300 && isObject(json)) return { json };
  const retryAfterMs = parseRetryAfter(headers["retry-after"], now);
  const context = { httpStatus: status, retryAfterMs, secret: token };
  const known = isObject(json) ? statusToError(json["error"], context) : undefined;
  if (known !== undefined) return { error: known };
  const redirect = status >= 300 && status < 400 ? "; redirects are not followed" : "";
  const type = serverMessage(headers["content-type"] ?? "no content type", token);
  const page = serverMessage(pageText(text), token);
  const error = new ApiError({
    // Never NOT_FOUND: a proxy's 404 page must not drop an endpoint from the state.
    code: "MALFORMED_ANSWER",
    message: `${formatLabel(label)} returned HTTP ${status} (${type}), which is not a response of the API: "${page}"${redirect}`,
    httpStatus: status,
    retryAfterMs,
  });
  return { error };
}

/** Converts a failure to an `ApiError`. Its `reason` is the code of Node.js. */
function transportError(error: HttpError, { url }: RequestLabel): ApiError {
  const reason = reasonOf(error);
  const isLocal = reason === "ECONNREFUSED" && isLoopbackHost(url.hostname);
  const hint = isLocal ? "; is the local back end (`trivet local ids`) running?" : "";
  return new ApiError({
    code: callerCodes[error.code] ?? "TRANSPORT",
    message: `${error.message}${hint}`,
    reason,
    cause: error,
  });
}

/** The longest part of a page that is searched. */
const maxLength = 100_000;

/**
 * Returns the text of a page that a proxy or another server sent instead of the API's JSON: its title, else
 * its content without tags. Any other body is returned unchanged. Show the result only through `serverMessage`.
 */
function pageText(body: string): string {
  const page = body.slice(0, maxLength);
  if (!/^\s*<(?:!doctype html|html|head|body)\b/i.test(page)) return body;
  const title = /<title[^>]{0,200}>([^<]*)/i.exec(page)?.[1]?.trim() ?? "";
  if (title !== "") return title;
  return page
    .replaceAll(/<(script|style)\b[^]*?<\/\1>/gi, " ")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/**
 * One segment of a resource name, as a regular expression. Includes legacy projects of a domain
 * ("example.com:web"), but no characters with a meaning in URLs.
 */
export const segment = "[A-Za-z0-9](?:[A-Za-z0-9._:~-]*[A-Za-z0-9])?";

/**
 * Validates a name before it becomes part of a URL, and percent-encodes its segments.
 *
 * @throws ApiError `SETTINGS` when the name is invalid
 */
export function encodeName(name: string, isName: (name: string) => boolean): string {
  if (isName(name)) return name.split("/").map(encodeURIComponent).join("/");
  const message = `${JSON.stringify(name)} is not a valid resource name`;
  throw new ApiError({ code: "SETTINGS", message });
}

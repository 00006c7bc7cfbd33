import type { CallContext } from "../../../http/call-context";
import type { HttpClient } from "../../../http/client";
import { GoogleError } from "../../../google/google-error";
import { HttpError } from "../../../http/http-error";
import { retryPolicy } from "../../../http/retry-policy";
import { refusalWords } from "../../../http/refusal-words";
import { serverMessage } from "../../../http/server-message";
import { JsonError } from "../../../json/json-error";
import { JsonFields } from "../../../json/json-fields";
import { parseJson } from "../../../json/parse-json";
import { KeyError } from "./key-error";
import type { CloudSettings } from "../../cloud-identity/cloud-settings";

/** A request to a key-management service. */
export interface KmsRequest {
  readonly http: HttpClient;
  readonly context: CallContext;
  /** The service's name at the start of messages. */
  readonly service: string;
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object | undefined;
  /** Secrets in the headers, which the service might echo. */
  readonly secrets: readonly string[];
}

const maxAnswerBytes = 256 * 1024;
const attemptMs = 30_000;

/**
 * Sends a request to a key-management service, and returns the JSON object in its response. Redirects are
 * not followed.
 *
 * @throws KeyError
 */
export async function kmsRequest(request: KmsRequest): Promise<JsonFields> {
  const { http, service, body, headers, secrets, ...rest } = request;
  try {
    const answer = await http.request({
      ...rest,
      headers: { ...headers, ...(body && { "content-type": "application/json" }) },
      body: body && JSON.stringify(body),
      limits: { maxBytes: maxAnswerBytes, attemptMs },
      retry: retryPolicy(),
    });
    if (answer.status === 200) return JsonFields.of(parseJson(answer.body), "the response");
    const message = serverMessage(refusalWords(answer.body), secrets);
    const quoted = message === "" ? "" : `: "${message}"`;
    throw new KeyError(
      "KEY_SERVICE",
      `${service} responded with HTTP status ${answer.status}${quoted}`,
    );
  } catch (error) {
    throw kmsFailure(service, error);
  }
}

/** The parts of a request that its callers choose; with a body, it is a POST request. */
interface KmsCall {
  readonly url: string;
  readonly context: CallContext;
  readonly body?: object | undefined;
}

/**
 * Sends requests with an access token, which is redacted.
 *
 * @param token gets an access token, from a cache if possible
 * @throws KeyError
 */
export function bearerRequests(
  { http, redact }: Pick<CloudSettings, "http" | "redact">,
  service: string,
  token: (context: CallContext) => Promise<string>,
): (call: KmsCall) => Promise<JsonFields> {
  return async ({ url, context, body }) => {
    const secret = await token(context).catch((error: unknown) => {
      const end = endOf(error);
      if (end !== undefined) throw new KeyError(end.code, `${service}: ${end.message}`, error);
      const reason = error instanceof Error ? serverMessage(error.message) : "unknown error";
      const message = `${service}: there are no usable credentials: ${reason}`;
      throw new KeyError("KEY_SERVICE", message, error);
    });
    redact(secret);
    return kmsRequest({
      http,
      service,
      context,
      url,
      body,
      secrets: [secret],
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${secret}` },
    });
  };
}

/** Runs the parsing of a response, and converts its errors. */
export function readResponse<T>(service: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw kmsFailure(service, error);
  }
}

/** Converts the errors of requests and of parsing; returns any other as it is. */
export function kmsFailure(service: string, error: unknown): unknown {
  if (error instanceof HttpError) {
    const code = endOf(error)?.code ?? "KEY_SERVICE";
    return new KeyError(code, `${service}: ${error.message}`, error);
  }
  if (error instanceof JsonError) {
    return new KeyError(
      "KEY_SERVICE",
      `${service}'s response has an unexpected format: ${error.message}`,
      error,
    );
  }
  return error;
}

/** Why a request ended before there was a response; undefined if it failed. */
function endOf(error: unknown) {
  if (!(error instanceof HttpError || error instanceof GoogleError)) return undefined;
  const { code, message } = error;
  return code === "CANCELLED" || code === "DEADLINE" ? { code, message } : undefined;
}

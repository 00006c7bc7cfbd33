import type { CallContext } from "../../../http/call-context";
import type { HttpClient } from "../../../http/client";
import { HttpError } from "../../../http/http-error";
import { retryPolicy } from "../../../http/retry-policy";
import { serverMessage } from "../../../http/server-message";
import { JsonError } from "../../../json/json-error";
import { JsonFields } from "../../../json/json-fields";
import { parseJson } from "../../../json/parse-json";
import { KeyError } from "./key-error";

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
    const message = serverMessage(answer.body.toString("utf8"), secrets);
    const quoted = message === "" ? "" : `: "${message}"`;
    throw new KeyError(
      "KEY_SERVICE",
      `${service} responded with HTTP status ${answer.status}${quoted}`,
    );
  } catch (error) {
    throw kmsFailure(service, error);
  }
}

/** Runs the parsing of a response, and converts its errors. */
export function readResponse<T>(service: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw kmsFailure(service, error);
  }
}

function kmsFailure(service: string, error: unknown): unknown {
  if (error instanceof HttpError) {
    const isOver = error.code === "CANCELLED" || error.code === "DEADLINE";
    return new KeyError(isOver ? error.code : "KEY_SERVICE", `${service}: ${error.message}`, error);
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

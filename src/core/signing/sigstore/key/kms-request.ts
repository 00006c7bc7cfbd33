import type { CallContext } from "../../../http/call-context";
import { isEnd, within } from "../../../failure/failure";
import { serverMessage } from "../../../http/server-message";
import {
  atService,
  quoteRefusal,
  type ServiceCall,
  serviceCalls,
} from "../../../http/service-call";
import { parseJson, JsonFields } from "../../../json/parse-json";
import { isJsonError } from "../../../json/read-json";
import { keyError } from "./key-signer";
import type { CloudSettings } from "../../cloud-identity/cloud-settings";

interface KmsRequest extends Pick<
  ServiceCall,
  "http" | "context" | "service" | "secrets" | "rootCertificates"
> {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** With a body, it is a POST request. */
  readonly body?: object | undefined;
  /** What to do about a refusal, by its HTTP status. @default no advice */
  readonly advice?: Readonly<Record<number, string>> | undefined;
}

const call = serviceCalls({ limits: { maxBytes: 256 * 1024, attemptMs: 30_000 } });

type Read<T> = (response: JsonFields) => T;

/** Sends a request to a key-management service, and reads its response. Redirects are not followed. */
export async function kmsRequest<T>(
  { body, headers, advice, ...request }: KmsRequest,
  read: Read<T>,
): Promise<T> {
  const { service, secrets } = request;
  const answer = await call({
    ...request,
    method: body === undefined ? "GET" : "POST",
    headers: { ...headers, ...(body && { "content-type": "application/json" }) },
    body: body && JSON.stringify(body),
  });
  if (answer.status !== 200) {
    const words = quoteRefusal(answer, secrets);
    const more = [words, advice?.[answer.status]].filter((each) => each !== undefined);
    throw keyError("KEY_SERVICE", `${service} responded with ${more.join(": ")}`);
  }
  try {
    return read(JsonFields.of(parseJson(answer.body), "the response"));
  } catch (error) {
    throw kmsFailure(service, error);
  }
}

type KmsCall = Pick<KmsRequest, "url" | "context" | "body">;

/**
 * Sends requests with an access token, which is redacted.
 *
 * @param token gets an access token, from a cache if possible
 */
export function bearerRequests(
  { http, redact }: Pick<CloudSettings, "http" | "redact">,
  service: string,
  token: (context: CallContext) => Promise<string>,
): <T>(call: KmsCall, read: Read<T>) => Promise<T> {
  return async ({ url, context, body }, read) => {
    const secret = await token(context).catch((error: unknown) => {
      if (isEnd(error)) throw within(error, `${service}: ${error.message}`);
      const reason = error instanceof Error ? serverMessage(error.message) : "unknown error";
      const message = `${service}: there are no usable credentials: ${reason}`;
      throw keyError("KEY_SERVICE", message, { cause: error });
    });
    redact(secret);
    const headers = { authorization: `Bearer ${secret}` };
    return kmsRequest({ http, service, context, url, body, headers, secrets: [secret] }, read);
  };
}

/** Converts the errors of requests and of parsing; returns any other as it is. */
export function kmsFailure(service: string, error: unknown): unknown {
  if (isJsonError(error)) {
    return keyError(
      "KEY_SERVICE",
      `${service}'s response has an unexpected format: ${error.message}`,
      { cause: error },
    );
  }
  return atService(service, error);
}

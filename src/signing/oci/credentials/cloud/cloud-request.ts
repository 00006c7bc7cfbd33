import type { CallContext } from "../../../../http/call-context";
import type { HttpClient, OutgoingRequest } from "../../../../http/client";
import { HttpError } from "../../../../http/http-error";
import { refusalWords } from "../../../../http/refusal-words";
import { retryPolicy } from "../../../../http/retry-policy";
import { serverMessage } from "../../../../http/server-message";
import { readJsonObject, type JsonObject } from "../../protocol/read-json";
import { IdentityError } from "../../../cloud-identity/identity-error";
import { RegistryError } from "../../protocol/registry-error";
import { unusable } from "../unusable-credentials";

/** A request to a service of a cloud. */
interface CloudRequest extends Pick<OutgoingRequest, "method" | "headers" | "body"> {
  readonly http: HttpClient;
  readonly context: CallContext;
  /** The service's name at the start of messages: `Google's token service`. */
  readonly service: string;
  readonly url: string;
  /** Strings to redact from messages. */
  readonly secrets: readonly string[];
}

/** Longer tries would delay those who have no such service. */
const attemptMs = 10_000;

/**
 * Sends a request to a service of a cloud, and reads its JSON. Redirects are not followed, because requests
 * contain secrets.
 *
 * @returns undefined after a 404
 * @throws RegistryError `CREDENTIALS`
 */
export async function askCloud(request: CloudRequest): Promise<JsonObject | undefined> {
  const { service, secrets, http, ...outgoing } = request;
  const answer = await http
    .request({
      ...outgoing,
      limits: { maxBytes: 1_000_000, attemptMs },
      redirects: "return",
      retry: retryPolicy(),
    })
    .catch((failure: unknown) => {
      throw registryFailure(service, failure);
    });
  const { status, body } = answer;
  if (status === 404) return undefined;
  if (status !== 200) {
    const words = serverMessage(refusalWords(body), secrets);
    const quoted = words === "" ? "" : `: "${words}"`;
    throw unusable(`${service} responded with HTTP status ${status}${quoted}`);
  }
  const json = readJsonObject(body);
  if (json === undefined) throw unusable(`${service} did not return a JSON object`);
  return json;
}

/**
 * Reads a secret from a response.
 *
 * @throws RegistryError `CREDENTIALS` if it is missing
 */
export function secretIn(json: JsonObject | undefined, name: string, service: string): string {
  const value = json?.[name];
  if (typeof value === "string" && /^[\x21-\x7e]+$/.test(value)) return value;
  throw unusable(`${service} returned no ${name}`);
}

/**
 * Handles the failure of a cloud's library: no identity is none.
 *
 * @throws RegistryError
 */
export function absentIdentity(cloud: string) {
  return (failure: unknown): undefined => {
    if (failure instanceof IdentityError) {
      if (failure.isAbsent) return undefined;
      throw unusable(`the identity at ${cloud} cannot be used: ${failure.message}`, failure);
    }
    throw registryFailure(cloud, failure);
  };
}

function registryFailure(service: string, failure: unknown): unknown {
  if (!(failure instanceof HttpError)) return failure;
  const { code, message } = failure;
  if (code === "CANCELLED" || code === "DEADLINE") return new RegistryError({ code, message });
  return unusable(`${service}: ${message}`);
}

import type { HttpClient, HttpResponse } from "../../http/client";
import { failureMessage, type HttpError, isHttpError } from "../../http/http-error";
import { type Failure, failures } from "../../failure/failure";
import { serverMessage } from "../../http/server-message";
import { isRecord } from "../../json/plain-json";

/** What finding the identity of this machine or user in a cloud needs. */
export interface CloudSettings {
  readonly http: HttpClient;
  /** The environment of this process: the clouds' libraries read no other. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Receives every secret, so that logs can redact it. */
  readonly redact: (secret: string) => void;
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined;
  /** The file with the machine's product name, which identifies Google's machines. @default Linux's */
  readonly productFile?: string | undefined;
}

/**
 * A cloud's library found no identity: `ABSENT` (this machine has none, and no source has failed), or `UNUSABLE`. The message
 * contains no secrets.
 */
type IdentityErrorCode = "ABSENT" | "UNUSABLE";
type IdentityError = Failure<IdentityErrorCode>;
export const [identityError, isIdentityError] = failures<IdentityErrorCode>("IdentityError");

/** Collects secrets that a server's message may repeat, and passes them on for logs to redact. */
export function collectSecrets(redact: CloudSettings["redact"]) {
  const secrets = new Set<string>();
  const onSecret = (secret: string): void => {
    secrets.add(secret);
    redact(secret);
  };
  return { secrets, onSecret };
}

interface Search {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Variables that configure an identity. If one is set, finding none is a failure. */
  readonly variables: readonly string[];
  /** Recognises the library's error for no identity, by its name or its message. */
  readonly isNone: (name: unknown, message: string) => boolean;
  /** Secrets that were sent, and that the error may repeat. */
  readonly secrets: ReadonlySet<string>;
}

/** Converts a library's error. An `HttpError` stays one. */
export function identityFailure(
  error: unknown,
  { env, variables, isNone, secrets }: Search,
): HttpError | IdentityError {
  if (isHttpError(error) || isIdentityError(error)) return error;
  const isConfigured = variables.some((name) => (env[name] ?? "") !== "");
  const name = isRecord(error) ? error["name"] : undefined;
  const message = failureMessage(error);
  const shown = serverMessage(message, [...secrets]);
  const isAbsent = isNone(name, message) && !isConfigured;
  return identityError(isAbsent ? "ABSENT" : "UNUSABLE", shown, { cause: error });
}

interface LibraryRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A string or bytes. */
  readonly body?: unknown;
  /** @default never aborted */
  readonly signal?: AbortSignal | undefined;
  /** @default 30000, which is also the maximum */
  readonly timeoutMs?: number | undefined;
  /** Receives the secrets in a form that is sent. */
  readonly onSecret?: ((secret: string) => void) | undefined;
}

const methods = ["GET", "POST", "PUT"] as const;
const maxBytes = 1024 * 1024;
const maxTimeoutMs = 30_000;

/**
 * Sends a request of a cloud's own library with Trivet's client, so that the proxy, the extra root certificates and the limits
 * apply to it, and redirects are not followed. The library decides about retries.
 */
export async function sendForLibrary(
  http: HttpClient,
  {
    method: wanted,
    url,
    headers,
    body: given,
    signal = new AbortController().signal,
    timeoutMs = maxTimeoutMs,
    onSecret = () => undefined,
  }: LibraryRequest,
): Promise<HttpResponse> {
  const method = methods.find((each) => each === wanted);
  if (method === undefined) throw new Error(`requests with the method ${wanted} are not expected`);
  const body = given ?? undefined;
  if (body !== undefined && typeof body !== "string" && !(body instanceof Uint8Array)) {
    throw new Error("requests with a stream are not expected");
  }
  for (const secret of secretsIn(body ?? "")) onSecret(secret);
  // The signal ends the request at the caller's deadline.
  const context = { signal, deadline: Infinity };
  const limits = { maxBytes, attemptMs: Math.min(timeoutMs, maxTimeoutMs) };
  return http.request({ method, url, headers, body, context, limits });
}

const secretFields = [
  "client_secret",
  "client_assertion",
  "assertion",
  "password",
  "refresh_token",
  "WebIdentityToken",
];

function secretsIn(body: string | Uint8Array): readonly string[] {
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const form = new URLSearchParams(text);
  return secretFields.flatMap((name) => form.get(name) ?? []).filter((value) => value !== "");
}

import type { HttpResponse, HttpClient } from "../../http/client";

/** A request that a cloud's own library wants to send. */
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
 * Sends a request of a cloud's own library with our client. So the proxy, the extra root certificates and the
 * limits apply to all requests, and redirects are not followed. The library decides about retries.
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
  // The signal ends it at the caller's deadline.
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

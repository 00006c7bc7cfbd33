import type { HttpResponse, HttpClient } from "../../http/client";

/** A request that a service's own library wants to send. */
interface LibraryRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A string or bytes. */
  readonly body?: unknown;
  /** @default never aborted */
  readonly signal?: AbortSignal | undefined;
}

const methods = ["GET", "POST", "PUT"] as const;
const limits = { maxBytes: 1024 * 1024, attemptMs: 30_000 };

/**
 * Sends a request of a service's own library with our client. So the proxy, the extra root certificates and the
 * limits apply to all requests, and redirects are not followed. The library decides about retries.
 *
 * @throws HttpError
 */
export async function sendForLibrary(
  http: HttpClient,
  {
    method: wanted,
    url,
    headers,
    body: given,
    signal = new AbortController().signal,
  }: LibraryRequest,
): Promise<HttpResponse> {
  const method = methods.find((each) => each === wanted);
  if (method === undefined) throw new Error(`requests with the method ${wanted} are not expected`);
  const body = given ?? undefined;
  if (body !== undefined && typeof body !== "string" && !(body instanceof Uint8Array)) {
    throw new Error("requests with a stream are not expected");
  }
  // The signal ends it at the caller's deadline.
  const context = { signal, deadline: Infinity };
  return http.request({ method, url, headers, body, context, limits });
}

import type { HttpClient } from "../../http/client";
import { HttpError } from "../../http/http-error";
import { sendForLibrary } from "./library-request";

/** What the SDK asks its HTTP client for. */
interface SdkRequest {
  readonly method: string;
  /** With a colon. */
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number | undefined;
  readonly path: string;
  readonly query: Readonly<Record<string, string | string[] | null>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * Sends the requests of Amazon's SDK with our client: those to the service, and those that exchange
 * credentials.
 */
export function awsRequestHandler(http: HttpClient, onSecret?: (secret: string) => void) {
  return {
    async handle(request: SdkRequest, { abortSignal }: { abortSignal?: unknown } = {}) {
      const { method, protocol, hostname, port, path, query, headers, body } = request;
      const url = new URL(`${protocol}//${hostname}${port === undefined ? "" : `:${port}`}${path}`);
      for (const [name, value] of Object.entries(query)) {
        for (const each of [value].flat()) url.searchParams.append(name, each ?? "");
      }
      const answer = await sendForLibrary(http, {
        method,
        url: url.href,
        headers,
        body,
        signal: abortSignal instanceof AbortSignal ? abortSignal : undefined,
        onSecret,
      }).catch((error: unknown) => {
        throw retryable(error);
      });
      return { response: { ...answer, statusCode: answer.status } };
    },
    metadata: { handlerProtocol: "http/1.1" },
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({}),
  };
}

/** Marks what may succeed the next time, as the SDK expects it. */
function retryable(error: unknown): unknown {
  const isTemporary =
    error instanceof HttpError && ["NO_ANSWER", "BROKEN_OFF", "TIMEOUT"].includes(error.code);
  return isTemporary ? Object.assign(error, { $retryable: {} }) : error;
}

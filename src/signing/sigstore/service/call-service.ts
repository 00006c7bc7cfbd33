import type {
  HttpResponse,
  HttpClient,
  OutgoingRequest,
  RequestLimits,
} from "../../../http/client";
import { HttpError } from "../../../http/http-error";
import { refusalWords } from "../../../http/refusal-words";
import { retryPolicy, type RetryPolicy } from "../../../http/retry-policy";
import { serverMessage } from "../../../http/server-message";
import { ServiceError, type ServiceErrorCode } from "./service-error";

/** Maximum size of a response, in bytes; real ones are much smaller. */
const maxResponseBytes = 4 * 1024 * 1024;

// Short enough for several attempts within the deadline if a service does not respond.
const attemptMs = 30_000;

/** A request to a signing service. */
export interface ServiceRequest extends Omit<OutgoingRequest, "limits" | "retry" | "redirects"> {
  readonly http: HttpClient;
  /** The service's name at the start of messages: `The certificate authority`. */
  readonly service: string;
  /** @default three attempts after lost connections and temporary statuses */
  readonly retry?: RetryPolicy | undefined;
  /** @default 4 MiB, 30 seconds for each attempt */
  readonly limits?: RequestLimits | undefined;
}

/**
 * Sends a request to a service, and returns the response with any status.
 *
 * @throws ServiceError if there is no response
 */
export async function callService({
  http,
  service,
  retry,
  limits,
  ...request
}: ServiceRequest): Promise<HttpResponse> {
  try {
    return await http.request({
      ...request,
      limits: limits ?? { maxBytes: maxResponseBytes, attemptMs },
      redirects: "same-host",
      retry: retry ?? retryPolicy(),
    });
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const isOver = error.code === "CANCELLED" || error.code === "DEADLINE";
    const code = isOver ? error.code : "TRANSPORT";
    throw new ServiceError(code, `${service}: ${error.message}`, error);
  }
}

/** The error for an unexpected response of a service. */
export function refused(
  code: ServiceErrorCode,
  service: string,
  { status, body }: Pick<HttpResponse, "status" | "body">,
  secrets: readonly string[] = [],
): ServiceError {
  const message = serverMessage(refusalWords(body), secrets);
  const quoted = message === "" ? "" : `: "${message}"`;
  return new ServiceError(code, `${service} responded with HTTP status ${status}${quoted}`);
}

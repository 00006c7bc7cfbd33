import type { HttpAnswer, HttpClient, OutgoingRequest } from "../../../http/client";
import { HttpError } from "../../../http/http-error";
import { retryPolicy, type RetryPolicy } from "../../../http/retry-policy";
import { serverMessage } from "../../../http/server-message";
import { ServiceError, type ServiceErrorCode } from "./service-error";

/** What the answers of these services may weigh; none of them is near it. */
export const maxAnswerBytes = 4 * 1024 * 1024;

/** Short enough that a deadline of minutes sees several attempts at a service that never answers. */
const attemptMs = 30_000;

export interface Question extends Omit<OutgoingRequest, "limits" | "retry" | "redirects"> {
  readonly http: HttpClient;
  /** How messages name the service: `the certificate authority`. */
  readonly service: string;
  /** @default three attempts after lost connections and passing statuses */
  readonly retry?: RetryPolicy | undefined;
}

/**
 * Asks a service, and gives its answer, whatever the status.
 *
 * @throws ServiceError when there is none
 */
export async function ask({ http, service, retry, ...request }: Question): Promise<HttpAnswer> {
  try {
    return await http.request({
      ...request,
      limits: { maxBytes: maxAnswerBytes, attemptMs },
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

/** What a service said instead of what it was asked for. */
export function refused(
  code: ServiceErrorCode,
  service: string,
  { status, body }: Pick<HttpAnswer, "status" | "body">,
  secrets: readonly string[] = [],
): ServiceError {
  const words = serverMessage(body.toString("utf8"), secrets);
  const said = words === "" ? "" : `: "${words}"`;
  return new ServiceError(code, `${service} answered with status ${status}${said}`);
}

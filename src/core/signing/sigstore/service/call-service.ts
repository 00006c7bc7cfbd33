import type { HttpResponse } from "../../../http/client";
import { quoteRefusal, serviceCalls } from "../../../http/service-call";
import { CodedError } from "../coded-error";

/**
 * The reasons for which a request to a signing service fails:
 * `NO_IDENTITY` (there is no identity token), `IDENTITY` (the token cannot be used, or its source failed),
 * `CERTIFICATE_AUTHORITY`, `TRANSPARENCY_LOG`, `TIMESTAMP` (the service refused, or sent an unexpected
 * response), `TRANSPORT` (no response), `CANCELLED`, `DEADLINE`.
 */
export type ServiceErrorCode =
  | "NO_IDENTITY"
  | "IDENTITY"
  | "CERTIFICATE_AUTHORITY"
  | "TRANSPARENCY_LOG"
  | "TIMESTAMP"
  | "TRANSPORT"
  | "CANCELLED"
  | "DEADLINE";

/** The only error of the clients for signing services. Its message contains no secrets and no query strings. */
export class ServiceError extends CodedError<ServiceErrorCode> {
  override readonly name = "ServiceError";
}

/**
 * Sends a request to a signing service, and returns the response with any status.
 *
 * @throws ServiceError if there is no response
 */
export const callService = serviceCalls({
  // Real responses are much smaller. Several attempts fit into the deadline if a service does not respond.
  limits: { maxBytes: 4 * 1024 * 1024, attemptMs: 30_000 },
  redirects: "same-host",
  failure: (code, message, cause) => new ServiceError(code, message, cause),
});

export function isSuccess({ status }: Pick<HttpResponse, "status">): boolean {
  return status === 200 || status === 201;
}

export function refused(
  code: ServiceErrorCode,
  service: string,
  answer: Pick<HttpResponse, "status" | "body">,
  secrets: readonly string[] = [],
): ServiceError {
  return new ServiceError(code, `${service} responded with ${quoteRefusal(answer, secrets)}`);
}

/** Returns the error of a caller that is cancelled while it waits for another caller's request. */
export function interrupted(): ServiceError {
  return new ServiceError(
    "CANCELLED",
    "The request was cancelled while it waited for another one.",
  );
}

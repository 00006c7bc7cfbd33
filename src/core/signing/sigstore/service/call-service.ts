import { type Failure, failures } from "../../../failure/failure";
import type { HttpResponse } from "../../../http/client";
import { quoteRefusal, serviceCalls } from "../../../http/service-call";

/**
 * Why a request to a signing service fails: `NO_IDENTITY` (no identity token), `IDENTITY` (the token cannot be used, or its
 * source failed), `CERTIFICATE_AUTHORITY`, `TRANSPARENCY_LOG`, `TIMESTAMP` (the service refused, or sent an unexpected
 * response).
 */
export type ServiceErrorCode =
  "NO_IDENTITY" | "IDENTITY" | "CERTIFICATE_AUTHORITY" | "TRANSPARENCY_LOG" | "TIMESTAMP";

/** A request to a signing service failed. The message contains no secrets and no query strings. */
export type ServiceError = Failure<ServiceErrorCode>;
export const [serviceError, isServiceError] = failures<ServiceErrorCode>("ServiceError");

/**
 * Sends a request to a signing service, and returns the response with any status.
 *
 * @throws HttpError if there is no response
 */
export const callService = serviceCalls({
  // Real responses are much smaller. The deadline leaves time for several attempts if a service does not respond.
  limits: { maxBytes: 4 * 1024 * 1024, attemptMs: 30_000 },
  redirects: "same-host",
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
  return serviceError(code, `${service} responded with ${quoteRefusal(answer, secrets)}`);
}

import type { HttpResponse } from "../../../http/client";
import { quoteRefusal, serviceCalls } from "../../../http/service-call";
import { ServiceError, type ServiceErrorCode } from "./service-error";

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

/** The error for an unexpected response of a service. */
export function refused(
  code: ServiceErrorCode,
  service: string,
  answer: Pick<HttpResponse, "status" | "body">,
  secrets: readonly string[] = [],
): ServiceError {
  return new ServiceError(code, `${service} responded with ${quoteRefusal(answer, secrets)}`);
}

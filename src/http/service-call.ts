import type { HttpClient, HttpResponse, OutgoingRequest, RequestLimits } from "./client";
import { HttpError } from "./http-error";
import type { RedirectPolicy } from "./redirect";
import { refusalWords } from "./refusal-words";
import { retryPolicy } from "./retry-policy";
import { serverMessage } from "./server-message";

/** The way in which a part calls its services. */
export interface CallPolicy {
  readonly limits: RequestLimits;
  /** @default "return" */
  readonly redirects?: RedirectPolicy | undefined;
  /** Creates the part's own error for a call without a response. */
  readonly failure: (
    code: "CANCELLED" | "DEADLINE" | "TRANSPORT",
    message: string,
    cause: HttpError,
  ) => Error;
}

/** A call of a service. */
export interface ServiceCall extends Omit<OutgoingRequest, "limits" | "redirects"> {
  readonly http: HttpClient;
  /** The start of messages: `The certificate authority`. */
  readonly service: string;
  /** Strings to redact from messages. @default none */
  readonly secrets?: readonly string[] | undefined;
  /** @default those of the policy */
  readonly limits?: Partial<RequestLimits> | undefined;
}

/**
 * Creates a function that calls services, and returns a response of any status. By default, it makes three attempts
 * after lost connections and temporary statuses.
 */
export function serviceCalls(policy: CallPolicy): (call: ServiceCall) => Promise<HttpResponse> {
  const { redirects } = policy;
  return async ({ http, service, secrets, retry = retryPolicy(), ...request }) => {
    const limits = { ...policy.limits, ...request.limits };
    try {
      return await http.request({ ...request, limits, redirects, retry });
    } catch (error) {
      throw callFailure(policy, service, error, secrets);
    }
  };
}

/** Converts the error of a call to the part's own; any other is returned as it is. */
export function callFailure(
  { failure }: Pick<CallPolicy, "failure">,
  service: string,
  error: unknown,
  secrets?: readonly string[],
): unknown {
  if (!(error instanceof HttpError)) return error;
  const isOver = error.code === "CANCELLED" || error.code === "DEADLINE";
  const message = `${service}: ${serverMessage(error.message, secrets)}`;
  return failure(isOver ? error.code : "TRANSPORT", message, error);
}

/** Quotes a service that has refused, for a message: `HTTP status 400: "invalid_grant"`. */
export function quoteRefusal(
  { status, body }: Pick<HttpResponse, "status"> & { readonly body: Uint8Array },
  secrets: readonly string[] = [],
): string {
  const words = serverMessage(refusalWords(body), secrets);
  return words === "" ? `HTTP status ${status}` : `HTTP status ${status}: "${words}"`;
}

import type { CallContext } from "../../../http/call-context";
import type { HttpResponse, HttpClient } from "../../../http/client";
import { retryPolicy } from "../../../http/retry-policy";
import { callService } from "../service/call-service";

/** A request to write an entry to a log. */
export interface EntryRequest {
  readonly http: HttpClient;
  readonly context: CallContext;
  /** Base URL of the log. */
  readonly url: string;
  /** The proposed entry, in the format of the log's version. */
  readonly entry: object;
}

// Public logs limit the rate of writes with a temporary status.
const retry = retryPolicy({ attempts: 5, firstDelayMs: 500, factor: 2 });

/**
 * Sends a request to a log; with a body, it is a POST request.
 *
 * @param service the log's name at the start of messages
 * @param path path of the API, from `/api`
 * @throws ServiceError
 */
export function requestLog(
  { http, context, url }: Omit<EntryRequest, "entry">,
  service: string,
  path: string,
  body?: object,
): Promise<HttpResponse> {
  return callService({
    http,
    service,
    context,
    retry,
    headers: { "content-type": "application/json", accept: "application/json" },
    method: body === undefined ? "GET" : "POST",
    url: `${url.replace(/\/+$/, "")}${path}`,
    body: body && JSON.stringify(body),
  });
}

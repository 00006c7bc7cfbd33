import type { IncomingMessage, ServerResponse } from "node:http";
import { answerJson, HttpFailure } from "./answer";
import type { Listener } from "./service";

/** A request with the parts of its URL. */
interface RoutedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Handles a request. What it returns is sent as JSON; undefined if it has responded itself. */
type Route = (routed: RoutedRequest) => unknown;

/** Routes by method and path, such as `GET /keys`. */
export type Routes = Readonly<Record<string, Route>>;

/**
 * Creates a listener from routes. Any other request is refused with 404.
 *
 * @param service name in messages
 * @param other for paths that are not in the table
 */
export function routes(
  service: string,
  table: Routes,
  other: Route = () => {
    throw new HttpFailure(404, `${service} has no such path`);
  },
): Listener {
  const known = new Map(Object.entries(table));
  return async (request, response) => {
    const { method = "", url = "/" } = request;
    const { pathname: path, searchParams: query } = new URL(url, "http://localhost");
    const route = known.get(`${method} ${path}`) ?? other;
    const answer = await route({ request, response, path, query });
    if (answer !== undefined) answerJson(response, 200, answer);
  };
}

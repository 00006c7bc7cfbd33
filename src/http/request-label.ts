/**
 * The parts of a request that may be shown in messages: never its query string, headers or body.
 */
export interface RequestLabel {
  readonly method: string;
  readonly url: URL;
}

/** Formats a request as `GET https://host/path`, without the query string. */
export function formatLabel({ method, url }: RequestLabel): string {
  return `${method} ${url.origin}${url.pathname}`;
}

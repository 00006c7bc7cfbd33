/** What is told of a request: never its query, its headers or its body. */
export interface RequestLabel {
  readonly method: string;
  readonly url: URL;
}

/** `GET https://host/path`, without the query. */
export function formatLabel({ method, url }: RequestLabel): string {
  return `${method} ${url.origin}${url.pathname}`;
}

import { httpError } from "./http-error";

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

/** Returns the secrets in request headers: credentials and cookies, also in decoded form. */
export function secretsIn(headers: Readonly<Record<string, string>>): readonly string[] {
  const secrets: string[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (!/^(?:proxy-)?authorization$|^cookie$/i.test(name)) continue;
    const [scheme = "", credentials = ""] = value.split(/ (.*)/s);
    secrets.push(value, credentials);
    if (scheme.toLowerCase() !== "basic") continue;
    const pair = Buffer.from(credentials, "base64").toString();
    secrets.push(pair, pair.slice(pair.indexOf(":") + 1));
  }
  return secrets.filter((secret) => secret !== "");
}

/** Parses the URL of a request. @throws HttpError `URL` if the URL is invalid or not allowed */
export function parseUrl({ method, url: text }: { method: string; url: string | URL }): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw httpError("URL", `${method}: the URL cannot be parsed`);
  }
  const problem = problemOf(url);
  if (problem === undefined) return url;
  throw httpError("URL", `${formatLabel({ method, url })}: the URL ${problem}`);
}

function problemOf(url: URL): string | undefined {
  if (url.protocol !== "https:" && url.protocol !== "http:") return "must begin with https or http";
  return url.username === "" && url.password === "" ? undefined : "must not contain credentials";
}

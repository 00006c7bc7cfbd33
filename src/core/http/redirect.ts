import { isLoopbackHost } from "../schema";
import { type HttpError, httpError } from "./http-error";
import { networkZone } from "./network-zone";
import { formatLabel, type RequestLabel } from "./request-label";
import type { TransportAnswer, TransportRequest } from "./transport";

/**
 * The handling of a redirect: return it to the caller, follow it only on the same host (scheme,
 * name and port), or follow it to any host. Credentials are not sent to another host.
 */
export type RedirectPolicy = "return" | "same-host" | "follow";

/** The maximum number of redirects of one attempt. */
export const maxRedirects = 10;

/** One request in a chain of redirects. */
export interface Hop {
  readonly method: TransportRequest["method"];
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Returns the request that follows a redirect. Undefined when the response is not a redirect, or is
 * one that would change the method of a request that writes, which is not followed.
 *
 * @throws HttpError `REDIRECT` when it must not be followed
 */
export function nextHop(
  hop: Hop,
  answer: Pick<TransportAnswer, "status" | "headers">,
  policy: RedirectPolicy,
): Hop | undefined {
  const { status, headers } = answer;
  const { method } = hop;
  const isRead = method === "GET" || method === "HEAD";
  const keepsMethod = status === 307 || status === 308;
  const isRedirect =
    keepsMethod || (isRead && (status === 301 || status === 302 || status === 303));
  const location = headers["location"];
  if (policy === "return" || !isRedirect || location === undefined) return undefined;
  const url = parseTarget(location, hop);
  const problem = problemOf(hop.url, url, policy);
  if (problem !== undefined) throw refused(hop, problem);
  return {
    method,
    url,
    headers: url.origin === hop.url.origin ? hop.headers : stripped(hop.headers),
  };
}

export function tooManyRedirects(label: RequestLabel): HttpError {
  return refused(label, `was redirected more than ${maxRedirects} times`);
}

/**
 * Returns why a redirect must not be followed, as a predicate: it leads to a scheme other than http and https, from https
 * to http, or to a host that is nearer to this machine than the server itself. Undefined if it may be followed.
 */
export function redirectProblem(from: URL, to: URL): string | undefined {
  if (to.protocol !== "https:" && to.protocol !== "http:") {
    return `was redirected to a URL with the scheme ${to.protocol.slice(0, -1)}; only http and https are allowed`;
  }
  if (from.protocol === "https:" && to.protocol === "http:") {
    return `was redirected from https to plain http at ${to.host}`;
  }
  if (from.hostname === to.hostname) return undefined;
  const zone = networkZone(to.hostname);
  if (zone === "link-local" || (zone === "loopback" && !isLoopbackHost(from.hostname))) {
    return `was redirected by another host to ${to.host}, a ${zone} address`;
  }
  return undefined;
}

function problemOf(from: URL, to: URL, policy: RedirectPolicy): string | undefined {
  if (policy === "same-host" && from.origin !== to.origin) {
    return `was redirected to another host, ${to.host}`;
  }
  return redirectProblem(from, to);
}

function parseTarget(location: string, hop: Hop): URL {
  let url: URL;
  try {
    url = new URL(location, hop.url);
  } catch {
    throw refused(hop, "was redirected to an invalid URL");
  }
  // The server must not choose the credentials of a request.
  url.username = "";
  url.password = "";
  url.hash = "";
  return url;
}

function stripped(headers: Hop["headers"]): Hop["headers"] {
  const kept = Object.entries(headers).filter(
    ([name]) => !/^(?:authorization|proxy-authorization|cookie)$/i.test(name),
  );
  return Object.fromEntries(kept);
}

function refused(label: RequestLabel, problem: string): HttpError {
  return httpError("REDIRECT", `${formatLabel(label)} ${problem}`);
}

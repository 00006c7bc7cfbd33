import { isLoopbackHost } from "../schema/loopback";
import { HttpError } from "./http-error";
import { networkZone } from "./network-zone";
import { formatLabel, type RequestLabel } from "./request-label";
import type { TransportAnswer, TransportRequest } from "./transport";

/**
 * What to do with a redirect: give it to the caller as the answer, follow it on the same host
 * (scheme, name and port), or follow it to any host, then without credentials.
 */
export type RedirectPolicy = "return" | "same-host" | "follow";

export const maxRedirects = 10;

export interface Hop {
  readonly method: TransportRequest["method"];
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Where a redirect leads, undefined when the answer is none (or one that changes the method of a
 * request that writes, which is not followed).
 *
 * @throws HttpError `REDIRECT` when it must not be followed.
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
 * Why a server must not send us from one URL to another, as a sentence: to a scheme other than http and
 * https, from https to http, nearer to this machine than the server itself is.
 */
export function redirectProblem(from: URL, to: URL): string | undefined {
  if (to.protocol !== "https:" && to.protocol !== "http:") {
    return `was sent to a URL with the scheme ${to.protocol.slice(0, -1)}, which is not http`;
  }
  if (from.protocol === "https:" && to.protocol === "http:") {
    return `was sent from https to plain http at ${to.host}`;
  }
  if (from.hostname === to.hostname) return undefined;
  const zone = networkZone(to.hostname);
  if (zone === "link-local" || (zone === "loopback" && !isLoopbackHost(from.hostname))) {
    return `was sent to ${to.host}, a ${zone} address, by another host`;
  }
  return undefined;
}

function problemOf(from: URL, to: URL, policy: RedirectPolicy): string | undefined {
  if (policy === "same-host" && from.origin !== to.origin) {
    return `was sent to another host, ${to.host}`;
  }
  return redirectProblem(from, to);
}

function parseTarget(location: string, hop: Hop): URL {
  let url: URL;
  try {
    url = new URL(location, hop.url);
  } catch {
    throw refused(hop, "was sent to something that is not a URL");
  }
  // Credentials in a URL would be those of whoever wrote the answer.
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
  return new HttpError({ code: "REDIRECT", message: `${formatLabel(label)} ${problem}` });
}

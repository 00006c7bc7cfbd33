import type { CallContext } from "../../../http/call-context";
import type { HttpClient } from "../../../http/client";
import { isHttpError, reasonOf } from "../../../http/http-error";
import { goesToLoopback } from "../../../schema";
import { networkZone } from "../../../http/network-zone";
import { noRetry } from "../../../http/retry";
import { firstContactRetry, RegistryError, transportError } from "./registry-error";

/** The URL of a registry, and the authentication that it last required. */
export interface Connection {
  readonly registry: string;
  readonly origin: URL;
  /** False for plain http to another machine, which would expose the credentials. */
  readonly maySendCredentials: boolean;
  challenge: Challenge | undefined;
}

interface ConnectionSettings {
  readonly http: HttpClient;
  /** Registries (exact names) to which plain http is allowed, including credentials. */
  readonly plainHttpRegistries: readonly string[];
}

/**
 * Calls `/v2/` of a registry over https. If the registry does not support TLS, tries plain http, but only on
 * this machine, in private networks, and for registries that the user listed.
 *
 * An untrusted certificate is an error: it never causes a fallback to http.
 *
 * @throws RegistryError
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#determining-support
 */
export async function connect(
  registry: string,
  context: CallContext,
  { http, plainHttpRegistries }: ConnectionSettings,
): Promise<Connection> {
  const secure = new URL(`https://${registry}`);
  const plain = new URL(`http://${registry}`);
  const zone = networkZone(secure.hostname);
  if (zone === "link-local") {
    throw new RegistryError(
      "UNSAFE",
      `the registry ${registry} has a link-local address, which is not allowed`,
    );
  }
  const isChosen = plainHttpRegistries.includes(registry);
  const mayBePlain = isChosen || zone !== "public";
  try {
    const challenge = await ping(secure, context, http, !mayBePlain);
    return { registry, origin: secure, maySendCredentials: true, challenge };
  } catch (failure) {
    if (!mayBePlain || !speaksNoTls(failure)) throw transportError(failure);
  }
  const challenge = await ping(plain, context, http, true).catch((failure: unknown) => {
    throw transportError(failure);
  });
  const maySendCredentials = isChosen || goesToLoopback(plain.hostname);
  return { registry, origin: plain, maySendCredentials, challenge };
}

async function ping(
  origin: URL,
  context: CallContext,
  http: HttpClient,
  isLastTry: boolean,
): Promise<Challenge | undefined> {
  const answer = await http.open({
    method: "GET",
    url: new URL("/v2/", origin),
    context,
    limits: { maxBytes: 65_536 },
    redirects: "same-host",
    retry: isLastTry ? firstContactRetry : noRetry,
    mayLackTls: !isLastTry,
  });
  answer.discard();
  return answer.status === 401 ? parseChallenge(answer.headers["www-authenticate"]) : undefined;
}

function speaksNoTls(failure: unknown): boolean {
  const reason = isHttpError(failure) ? reasonOf(failure) : undefined;
  return /^(?:EPROTO|ERR_SSL_|ECONNREFUSED|ECONNRESET)/.test(reason ?? "");
}

/**
 * The authentication that a registry requires, from its `WWW-Authenticate` header.
 *
 * @see https://distribution.github.io/distribution/spec/auth/token/
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1
 */
export type Challenge =
  | { readonly scheme: "basic" }
  | {
      readonly scheme: "bearer";
      readonly realm: string;
      readonly service: string | undefined;
      readonly scopes: readonly string[];
    };

/** Parses the header. Prefers bearer over basic; undefined if it has no supported challenge. */
export function parseChallenge(header: string | undefined): Challenge | undefined {
  const value = (header ?? "").slice(0, 8_192);
  const bearer = /(?:^|,\s*)bearer\s+(.*)$/is.exec(value)?.[1];
  if (bearer !== undefined) {
    const parameters = new Map<string, string>();
    for (const [, name = "", quoted, plain] of bearer.matchAll(
      /([a-z_]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/gi,
    )) {
      const key = name.toLowerCase();
      if (!parameters.has(key)) {
        parameters.set(key, quoted?.replaceAll(/\\(.)/g, "$1") ?? plain ?? "");
      }
    }
    const realm = parameters.get("realm");
    if (realm !== undefined && realm !== "") {
      const scopes = (parameters.get("scope") ?? "").split(" ").filter((scope) => scope !== "");
      return { scheme: "bearer", realm, service: parameters.get("service"), scopes };
    }
  }
  return /(?:^|,\s*)basic(?:\s|,|$)/i.test(value) ? { scheme: "basic" } : undefined;
}

/**
 * Parses the URL of a registry's token service, or reports why credentials are not sent there.
 *
 * Credentials are sent only over https, or over http on the loopback interface or to the registry's own
 * host. A public registry cannot point to a private or link-local address.
 *
 * @returns the URL, or a problem as the predicate of a sentence
 */
export function parseRealm(
  text: string,
  registry: URL,
): { readonly realm: URL } | { readonly problem: string } {
  let realm: URL;
  try {
    realm = new URL(text);
  } catch {
    return { problem: "is not a URL" };
  }
  if (realm.username !== "" || realm.password !== "") return { problem: "contains credentials" };
  realm.hash = "";
  const [from, to] = [networkZone(registry.hostname), networkZone(realm.hostname)];
  const host = realm.host;
  if (to === "link-local") return { problem: `points to the link-local address ${host}` };
  if (to === "loopback" && from !== "loopback")
    return { problem: `points to this machine (${host})` };
  if (to === "private" && from === "public") {
    return { problem: `points from a public registry to the private address ${host}` };
  }
  if (realm.protocol === "https:") return { realm };
  if (realm.protocol !== "http:")
    return { problem: `has the scheme ${realm.protocol.slice(0, -1)}` };
  if (goesToLoopback(realm.hostname) && registry.protocol === "http:") return { realm };
  // The registry itself uses plain http, which the user allowed for this host.
  if (registry.protocol === "http:" && realm.host === registry.host) return { realm };
  return { problem: `uses plain http at ${host}, which would expose credentials` };
}

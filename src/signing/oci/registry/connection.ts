import type { CallContext } from "../../../http/call-context";
import type { HttpClient } from "../../../http/client";
import { HttpError } from "../../../http/http-error";
import { networkZone } from "../../../http/network-zone";
import { noRetry } from "../../../http/retry-policy";
import { parseChallenge, type Challenge } from "../protocol/challenge";
import { registryRetry, transportError } from "../protocol/refusal";
import { RegistryError } from "../protocol/registry-error";

/** Where a registry is, and what it wanted to see when it was last asked. */
export interface Connection {
  readonly registry: string;
  readonly origin: URL;
  /** False over plain http to another machine: everyone in between would see them. */
  readonly maySendCredentials: boolean;
  challenge: Challenge | undefined;
}

export interface ConnectionSettings {
  readonly http: HttpClient;
  /** Registries (exact names) that are spoken to in plain http, credentials included. */
  readonly plainHttpRegistries: readonly string[];
}

/**
 * Asks `/v2/` of a registry: over https, and, for this machine, for private networks and for registries
 * that the user has named, over http when nothing there speaks TLS.
 *
 * A certificate that is not trusted is no reason to go on without one.
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
    throw new RegistryError({
      code: "UNSAFE",
      message: `the registry ${registry} is a link-local address, where no registry is`,
    });
  }
  const isChosen = plainHttpRegistries.includes(registry);
  const mayBePlain = isChosen || zone !== "public";
  try {
    const challenge = await ping(secure, context, http, !mayBePlain);
    return { registry, origin: secure, maySendCredentials: true, challenge };
  } catch (failure) {
    if (!mayBePlain || !(failure instanceof HttpError) || !speaksNoTls(failure)) {
      throw transportError(failure);
    }
  }
  try {
    const challenge = await ping(plain, context, http, true);
    const maySendCredentials = isChosen || zone === "loopback";
    return { registry, origin: plain, maySendCredentials, challenge };
  } catch (failure) {
    throw transportError(failure);
  }
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
    retry: isLastTry ? registryRetry : noRetry,
  });
  answer.discard();
  return answer.status === 401 ? parseChallenge(answer.headers["www-authenticate"]) : undefined;
}

function speaksNoTls({ reason = "" }: HttpError): boolean {
  return /^(?:EPROTO|ERR_SSL_|ECONNREFUSED|ECONNRESET)/.test(reason);
}

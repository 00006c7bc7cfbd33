import type { CallContext } from "../../../http/call-context";
import type { HttpClient } from "../../../http/client";
import { HttpError } from "../../../http/http-error";
import { goesToLoopback } from "../../../schema";
import { networkZone } from "../../../http/network-zone";
import { noRetry } from "../../../http/retry";
import { parseChallenge, type Challenge } from "../protocol/challenge";
import { firstContactRetry, transportError } from "../protocol/refusal";
import { RegistryError } from "../protocol/registry-error";

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
    throw new RegistryError({
      code: "UNSAFE",
      message: `the registry ${registry} has a link-local address, which is not allowed`,
    });
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
  const reason = failure instanceof HttpError ? failure.reason : undefined;
  return /^(?:EPROTO|ERR_SSL_|ECONNREFUSED|ECONNRESET)/.test(reason ?? "");
}

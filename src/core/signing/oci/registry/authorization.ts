import type { CallContext, Clock } from "../../../http/call-context";
import type { HttpClient } from "../../../http/client";
import { renewedValue, type RenewedValue } from "../../../http/renewed-value";
import { type Challenge, type Connection, parseRealm } from "./connection";
import { anonymous, type Credentials, type CredentialSource } from "./credentials";
import { refusalError, RegistryError, registryRetry, transportError } from "./registry-error";
import { secretsIn } from "../../../http/request-label";
import { readJsonObject } from "../../../json/parse-json";

interface AuthorizationSettings {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly credentials: CredentialSource;
  /** Receives the credentials that are used, so that messages and logs can redact them. */
  readonly redact: (secret: string) => void;
}

export interface Access {
  readonly path: string;
  /** Such as `repository:<path>:pull,push`. */
  readonly scopes: readonly string[];
}

type Bearer = Extract<Challenge, { readonly scheme: "bearer" }>;

interface Token {
  readonly header: string;
  readonly expiresAt: number;
}

/** Credentials that a token service accepts; a registry's own token is never sent to one. */
type TokenCredentials = Exclude<Credentials, { readonly kind: "registry-token" }>;

interface TokenCaller extends CallContext {
  readonly credentials: TokenCredentials;
}

// The specification's default lifetime of a token.
const defaultLifetimeSeconds = 60;
const marginMs = 10_000;

/**
 * Creates `Authorization` headers for requests to registries, with basic or bearer authentication. Tokens are
 * cached until shortly before they expire.
 *
 * @see https://distribution.github.io/distribution/spec/auth/token/
 */
export class Authorization {
  readonly #settings: AuthorizationSettings;
  readonly #tokens = new Map<string, RenewedValue<Token, TokenCaller>>();

  constructor(settings: AuthorizationSettings) {
    this.#settings = settings;
  }

  /**
   * Returns the header; undefined if the registry requires none, or for anonymous basic access.
   *
   * @param rejected a header that the registry has just rejected
   */
  async header(
    connection: Connection,
    { path, scopes }: Access,
    context: CallContext,
    rejected?: string,
  ): Promise<string | undefined> {
    const { challenge, registry } = connection;
    if (challenge === undefined) return undefined;
    const { credentials: source, clock, redact } = this.#settings;
    const credentials = await usable(source, connection, path, context);
    for (const secret of secretsOf(credentials)) redact(secret);
    if (credentials.kind === "registry-token") return `Bearer ${credentials.token}`;
    if (challenge.scheme === "basic") return basic(credentials);
    const wanted = [...new Set([...scopes, ...challenge.scopes])].sort();
    // A repository may have its own credentials.
    const key = JSON.stringify([registry, path, challenge.realm, challenge.service, wanted]);
    const token =
      this.#tokens.get(key) ??
      renewedValue<Token, TokenCaller>({
        renew: (caller) => fetchToken(this.#settings, connection, challenge, wanted, caller),
        expiresAt: ({ expiresAt }) => expiresAt,
        marginMs,
        now: () => clock.now(),
      });
    this.#tokens.set(key, token);
    return (await token({ ...context, credentials }, ({ header }) => header === rejected)).header;
  }
}

async function usable(
  source: CredentialSource,
  connection: Connection,
  path: string,
  context: CallContext,
): Promise<Credentials> {
  const credentials = (await source.find(connection.registry, context, path)) ?? anonymous;
  if (connection.maySendCredentials || credentials.kind === "anonymous") return credentials;
  throw new RegistryError(
    "CREDENTIALS",
    `the registry ${connection.registry} uses plain http, which would expose its credentials: set up TLS, or set plainHttp in the provider's block for this registry`,
  );
}

function secretsOf(credentials: Credentials): readonly string[] {
  switch (credentials.kind) {
    case "anonymous":
      return [];
    case "basic":
      return [credentials.password];
    case "identity-token":
    case "registry-token":
      return [credentials.token];
  }
}

/** The header of basic authentication; undefined without a password. */
function basic(credentials: TokenCredentials): string | undefined {
  switch (credentials.kind) {
    case "basic": {
      const { username, password } = credentials;
      return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
    }
    // Only a token service accepts an identity token.
    case "identity-token":
    case "anonymous":
      return undefined;
  }
}

async function fetchToken(
  { http, clock }: AuthorizationSettings,
  { registry, origin }: Connection,
  challenge: Bearer,
  scopes: readonly string[],
  { credentials, ...context }: TokenCaller,
): Promise<Token> {
  const checked = parseRealm(challenge.realm, origin);
  if ("problem" in checked) {
    throw new RegistryError(
      "UNSAFE",
      `the token service of the registry ${registry} ${checked.problem}; nothing was sent there`,
    );
  }
  const { realm } = checked;
  const request = tokenRequest(realm, challenge.service, credentials, scopes);
  const secrets = [...secretsIn(request.headers), ...secretsOf(credentials)];
  const answer = await http
    .request({
      ...request,
      context,
      limits: { maxBytes: 1_000_000 },
      redirects: "same-host",
      retry: registryRetry,
    })
    .catch((failure: unknown) => {
      throw transportError(failure);
    });
  const { status, body } = answer;
  if (status !== 200) {
    throw refusalError({ ...answer, method: request.method, url: realm, secrets });
  }
  const { token, access_token, expires_in } = readJsonObject(body) ?? {};
  const value = typeof token === "string" && token !== "" ? token : access_token;
  if (typeof value !== "string" || !/^[\x21-\x7e]+$/.test(value)) {
    throw new RegistryError(
      "MALFORMED_ANSWER",
      `the token service ${realm.origin}${realm.pathname} returned no token`,
    );
  }
  const seconds = typeof expires_in === "number" ? expires_in : defaultLifetimeSeconds;
  return { header: `Bearer ${value}`, expiresAt: clock.now() + seconds * 1_000 };
}

function tokenRequest(
  realm: URL,
  service: string | undefined,
  credentials: TokenCredentials,
  scopes: readonly string[],
) {
  switch (credentials.kind) {
    case "identity-token": {
      const form = new URLSearchParams({
        grant_type: "refresh_token",
        service: service ?? "",
        client_id: "trivet",
        scope: scopes.join(" "),
        refresh_token: credentials.token,
      });
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      return { method: "POST", url: realm, headers, body: form.toString() } as const;
    }
    case "basic":
    case "anonymous": {
      const url = new URL(realm);
      if (service !== undefined) url.searchParams.set("service", service);
      for (const scope of scopes) url.searchParams.append("scope", scope);
      const authorization = basic(credentials);
      const headers = authorization === undefined ? {} : { authorization };
      return { method: "GET", url, headers } as const;
    }
  }
}

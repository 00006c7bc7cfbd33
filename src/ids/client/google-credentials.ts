import { JWT, UserRefreshClient } from "google-auth-library";
import type {
  AuthorizedUserCredentials,
  Credentials,
  ServiceAccountCredentials,
} from "./credentials";
import { failureCode } from "../../http/failure";
import { readBody } from "../../http/read-body";
import type { Transport } from "../../http/transport";

/** An access token with its expiry. */
export interface MintedToken {
  readonly token: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** The options of {@link mintToken}. */
export interface MintOptions {
  readonly scope: string;
  readonly transport: Transport;
  readonly signal: AbortSignal;
}

const selfSignedLifetimeMs = 3_600_000;
const maxAnswerBytes = 1_000_000;

/**
 * Creates an access token with Google's library, which takes long to load. Use this file only
 * through `credentialsToken`. Errors are plain and contain no secrets.
 */
export function mintToken(credentials: Credentials, options: MintOptions): Promise<MintedToken> {
  return credentials.type === "service_account"
    ? signOwnToken(credentials, options.scope)
    : refreshUserToken(credentials, options);
}

async function signOwnToken(
  { clientEmail, privateKey, privateKeyId }: ServiceAccountCredentials,
  scope: string,
): Promise<MintedToken> {
  const client = new JWT({
    email: clientEmail,
    key: privateKey,
    scopes: [scope],
    ...(privateKeyId === undefined ? {} : { keyId: privateKeyId }),
  });
  client.useJWTAccessWithScope = true;
  const expiresAt = Date.now() + selfSignedLifetimeMs;
  let authorization: string | null;
  try {
    authorization = (await client.getRequestHeaders()).get("authorization");
  } catch {
    throw new Error("private_key is not a usable RSA key in PEM form");
  }
  const [, token] = /^Bearer (.+)$/.exec(authorization ?? "") ?? [];
  if (token === undefined) throw new Error("the service account's key created no token");
  return { token, expiresAt };
}

async function refreshUserToken(
  { clientId, clientSecret, refreshToken }: AuthorizedUserCredentials,
  { transport, signal }: MintOptions,
): Promise<MintedToken> {
  const client = new UserRefreshClient({
    clientId,
    clientSecret,
    refreshToken,
    transporterOptions: { fetchImplementation: fetchThrough(transport, signal) },
  });
  try {
    const { credentials } = await client.refreshAccessToken();
    if (!credentials.access_token)
      throw new Error("the token endpoint's response contains no token");
    return {
      token: credentials.access_token,
      expiresAt: credentials.expiry_date ?? Date.now() + selfSignedLifetimeMs,
    };
  } catch (failure) {
    throw new Error(refusal(failure));
  }
}

/**
 * Sends the library's requests through our transport, with its proxies, certificates and size
 * limit.
 */
function fetchThrough(transport: Transport, signal: AbortSignal): typeof fetch {
  return async (input, init) => {
    const url = input instanceof Request ? input.url : input.toString();
    const body: unknown = init?.body;
    const answer = await transport.send({
      method: "POST",
      url,
      headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
      body: body instanceof URLSearchParams || typeof body === "string" ? body.toString() : "",
      signal,
    });
    const bytes = await readBody(answer, maxAnswerBytes);
    return new Response(bytes.toString("utf8"), { status: answer.status, headers: answer.headers });
  };
}

// The library's message can quote the request. Only OAuth's error code and the status are shown.
function refusal(failure: unknown): string {
  const response = field(failure, "response");
  const status = field(response, "status");
  const code = field(field(response, "data"), "error");
  const known = typeof code === "string" && /^[a-z_]{1,40}$/.test(code) ? ` ${code}` : "";
  if (typeof status === "number") {
    const hint =
      code === "invalid_grant" ? "; log in again with `gcloud auth application-default login`" : "";
    return `the token endpoint responded with ${status}${known}${hint}`;
  }
  const reason = failureCode(failure);
  return `the token endpoint cannot be reached${reason === undefined ? "" : ` (${reason})`}`;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

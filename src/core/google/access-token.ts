import { createPrivateKey, sign } from "node:crypto";
import type { HttpResponse } from "../http/client";
import { quoteRefusal } from "../http/service-call";
import { readJsonObject } from "../json/parse-json";
import { accountIn } from "./credential-url";
import type {
  Credentials,
  ExternalAccount,
  Impersonation,
  ServiceAccountKey,
  UserCredentials,
} from "./credentials";
import { googleError } from "./google-error";
import {
  type AccessToken,
  cloudPlatformScope,
  formRequest,
  isToken,
  sendForToken,
  tokenOf,
  type TokenServices,
} from "./token-request";

/**
 * Gets an access token with Google credentials, at the token endpoint that they name.
 *
 * @throws GoogleError
 */
export async function requestAccessToken(
  services: TokenServices,
  credentials: Credentials,
): Promise<AccessToken> {
  const { origin } = credentials;
  switch (credentials.type) {
    case "access_token":
      return { token: credentials.token, expiresAt: Infinity };
    case "authorized_user":
      return exchange(services, credentials, [credentials.clientSecret, credentials.refreshToken], {
        form: {
          grant_type: "refresh_token",
          client_id: credentials.clientId,
          client_secret: credentials.clientSecret,
          refresh_token: credentials.refreshToken,
        },
      });
    case "external_account_authorized_user":
      return exchange(services, credentials, [credentials.clientSecret, credentials.refreshToken], {
        form: { grant_type: "refresh_token", refresh_token: credentials.refreshToken },
        basic: credentials,
      });
    case "service_account": {
      services.redact(credentials.privateKey);
      const assertion = signedClaims(credentials, services.now());
      return exchange(services, credentials, [assertion], {
        form: { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion },
      });
    }
    case "external_account": {
      const token = await federatedToken(services, credentials);
      if (credentials.impersonation === undefined) return token;
      return impersonate(services, token, credentials.impersonation, origin);
    }
    case "impersonated_service_account": {
      const source = await requestAccessToken(services, credentials.source);
      return impersonate(services, source, credentials.impersonation, origin);
    }
    case "machine": {
      const { machineToken } = await import("./metadata-server.js");
      return machineToken(services);
    }
  }
}

/** @see https://developers.google.com/identity/protocols/oauth2/service-account#authorizingrequests */
function signedClaims(
  { clientEmail, privateKey, privateKeyId, tokenUrl, origin }: ServiceAccountKey,
  nowMs: number,
): string {
  const iat = Math.floor(nowMs / 1000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const header = {
    alg: "RS256",
    typ: "JWT",
    ...(privateKeyId === undefined ? {} : { kid: privateKeyId }),
  };
  const claims = { iss: clientEmail, scope: cloudPlatformScope, aud: tokenUrl };
  const text = `${part(header)}.${part({ ...claims, iat, exp: iat + 3_600 })}`;
  try {
    const signature = sign("sha256", Buffer.from(text), createPrivateKey(privateKey));
    return `${text}.${signature.toString("base64url")}`;
  } catch {
    // The cause could quote the key.
    throw googleError("FILE", `private_key in ${origin} is not a usable RSA key in PEM form`);
  }
}

/** @see https://www.rfc-editor.org/rfc/rfc8693#section-2.1 */
async function federatedToken(
  services: TokenServices,
  account: ExternalAccount,
): Promise<AccessToken> {
  const { subjectToken } = await import("./subject-token.js");
  const token = await subjectToken(services, account);
  const { clientId, clientSecret = "", workforcePoolUserProject } = account;
  const isClient = clientId !== undefined;
  return exchange(
    services,
    account,
    [token, clientSecret].filter((each) => each !== ""),
    {
      form: {
        grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
        audience: account.audience,
        scope: cloudPlatformScope,
        requested_token_type: "urn:ietf:params:oauth:token-type:access_token",
        subject_token: token,
        subject_token_type: account.subjectTokenType,
        ...(isClient || workforcePoolUserProject === undefined
          ? {}
          : { options: JSON.stringify({ userProject: workforcePoolUserProject }) }),
      },
      ...(isClient ? { basic: { clientId, clientSecret } } : {}),
    },
  );
}

interface Exchange {
  readonly form: Readonly<Record<string, string>>;
  /** Sent in the header instead of the form. */
  readonly basic?: { readonly clientId: string; readonly clientSecret: string };
}

type Exchanged = ServiceAccountKey | UserCredentials | ExternalAccount;

async function exchange(
  services: TokenServices,
  credentials: Exchanged,
  secrets: readonly string[],
  { form, basic }: Exchange,
): Promise<AccessToken> {
  const { origin, tokenUrl } = credentials;
  const request = formRequest(form);
  const service = `the token endpoint ${tokenUrl}`;
  const answer = await sendForToken(services, {
    service,
    origin,
    url: tokenUrl,
    secrets,
    ...request,
    headers: { ...request.headers, ...(basic === undefined ? {} : authorization(basic)) },
  });
  if (answer.status !== 200) {
    const { error } = readJsonObject(answer.body) ?? {};
    const said = quoteRefusal(answer, secrets);
    throw googleError(
      "REFUSED",
      `${origin}: ${service} responded with ${said}${advice(credentials.type, error)}`,
    );
  }
  const token = tokenOf(services, answer.body);
  if (token !== undefined) return token;
  throw googleError("REFUSED", `${origin}: ${service} did not return a token`);
}

function authorization({ clientId, clientSecret }: { clientId: string; clientSecret: string }) {
  const pair = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
  return { authorization: `Basic ${pair}` };
}

function advice(type: Exchanged["type"], error: unknown): string {
  if (typeof error !== "string") return "";
  switch (type) {
    case "authorized_user":
      return "; the login has expired or was revoked: log in again with gcloud auth application-default login";
    case "external_account_authorized_user":
      return "; the login has expired or was revoked: log in again with gcloud auth application-default login --login-config=…";
    case "service_account":
      return "; the key was deleted or disabled, or this machine's clock is wrong: create a new key with gcloud iam service-accounts keys create, or set the clock";
    case "external_account":
      return "; the identity pool does not accept the token: compare its audience, its issuer and the pool's conditions";
  }
}

const iamService = "the IAM credentials service";

/**
 * Exchanges an access token for one of a service account.
 *
 * @throws GoogleError
 * @see https://cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts/generateAccessToken
 */
async function impersonate(
  services: TokenServices,
  source: AccessToken,
  { url, delegates, lifetimeSeconds }: Impersonation,
  origin: string,
): Promise<AccessToken> {
  const account = accountIn(url) ?? "the service account";
  const answer = await sendForToken(services, {
    service: iamService,
    origin,
    method: "POST",
    url,
    secrets: [source.token],
    headers: {
      authorization: `Bearer ${source.token}`,
      accept: "application/json",
      "content-type": "application/json",
    },
    body: JSON.stringify({
      ...(delegates.length === 0 ? {} : { delegates: delegates.map(delegateName) }),
      scope: [cloudPlatformScope],
      lifetime: `${lifetimeSeconds}s`,
    }),
  });
  if (answer.status !== 200) {
    throw googleError(
      "IMPERSONATION",
      `${origin}: ${account} cannot be impersonated: ${iamService} responded with ${quoteRefusal(answer, [source.token])}${impersonationAdvice(answer, account)}`,
    );
  }
  const { accessToken, expireTime } = readJsonObject(answer.body) ?? {};
  const expiresAt = typeof expireTime === "string" ? Date.parse(expireTime) : NaN;
  if (isToken(accessToken) && !Number.isNaN(expiresAt)) {
    services.redact(accessToken);
    return { token: accessToken, expiresAt };
  }
  throw googleError("IMPERSONATION", `${origin}: ${iamService} did not return a token`);
}

/** The service accepts delegates only by their resource names. */
const delegateName = (account: string): string =>
  account.startsWith("projects/") ? account : `projects/-/serviceAccounts/${account}`;

function impersonationAdvice({ status, body }: HttpResponse, account: string): string {
  if (body.includes("SERVICE_DISABLED")) {
    return "; enable the API iamcredentials.googleapis.com in the project of the credentials";
  }
  if (status === 403) {
    return `; grant the credentials roles/iam.serviceAccountTokenCreator on ${account} (each delegate needs it on the next one)`;
  }
  if (status === 404) return "; check the name of the service account, and that it exists";
  return status === 400 ? "; it must be the email address of a service account" : "";
}

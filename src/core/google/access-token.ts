import { readJsonObject } from "../json/parse-json";
import { quoteRefusal } from "../http/service-call";
import type {
  Credentials,
  ExternalAccount,
  ServiceAccountKey,
  UserCredentials,
} from "./credentials";
import { googleError } from "./google-error";
import {
  type AccessToken,
  cloudPlatformScope,
  formRequest,
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
      const { signedRequest } = await import("./service-account.js");
      const form = signedRequest(credentials, services);
      return exchange(services, credentials, Object.values(form).slice(1), { form });
    }
    case "external_account": {
      const token = await federatedToken(services, credentials);
      if (credentials.impersonation === undefined) return token;
      const { impersonate } = await import("./impersonation.js");
      return impersonate(services, token, credentials.impersonation, origin);
    }
    case "impersonated_service_account": {
      const source = await requestAccessToken(services, credentials.source);
      const { impersonate } = await import("./impersonation.js");
      return impersonate(services, source, credentials.impersonation, origin);
    }
    case "machine": {
      const { machineToken } = await import("./metadata-server.js");
      return machineToken(services);
    }
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

import { readJsonObject } from "../json/parse-json";
import type { HttpResponse } from "../http/client";
import { quoteRefusal } from "../http/service-call";
import type { Impersonation } from "./credentials";
import { googleError } from "./google-error";
import { accountIn } from "./credential-url";
import {
  type AccessToken,
  cloudPlatformScope,
  isToken,
  sendForToken,
  type TokenServices,
} from "./token-request";

const service = "the IAM credentials service";

/**
 * Exchanges an access token for one of a service account.
 *
 * @throws GoogleError
 * @see https://cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts/generateAccessToken
 */
export async function impersonate(
  services: TokenServices,
  source: AccessToken,
  { url, delegates, lifetimeSeconds }: Impersonation,
  origin: string,
): Promise<AccessToken> {
  const account = accountIn(url) ?? "the service account";
  const answer = await sendForToken(services, {
    service,
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
      `${origin}: ${account} cannot be impersonated: ${service} responded with ${quoteRefusal(answer, [source.token])}${advice(answer, account)}`,
    );
  }
  const { accessToken, expireTime } = readJsonObject(answer.body) ?? {};
  const expiresAt = typeof expireTime === "string" ? Date.parse(expireTime) : NaN;
  if (isToken(accessToken) && !Number.isNaN(expiresAt)) {
    services.redact(accessToken);
    return { token: accessToken, expiresAt };
  }
  throw googleError("IMPERSONATION", `${origin}: ${service} did not return a token`);
}

/** The service accepts delegates only by their resource names. */
const delegateName = (account: string): string =>
  account.startsWith("projects/") ? account : `projects/-/serviceAccounts/${account}`;

function advice({ status, body }: HttpResponse, account: string): string {
  if (body.includes("SERVICE_DISABLED")) {
    return "; enable the API iamcredentials.googleapis.com in the project of the credentials";
  }
  if (status === 403) {
    return `; grant the credentials roles/iam.serviceAccountTokenCreator on ${account} (each delegate needs it on the next one)`;
  }
  if (status === 404) return "; check the name of the service account, and that it exists";
  return status === 400 ? "; it must be the email address of a service account" : "";
}

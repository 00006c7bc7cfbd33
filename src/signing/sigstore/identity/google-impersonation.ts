import { ServiceError } from "../service/service-error";
import { googleAccessToken } from "./google-credentials";
import { type IdentityToken, readIdentityToken } from "./identity-token";
import { audience, requestToken, type TokenSearch } from "./token-request";

const service = "Google's IAM credentials service";

/** Google's services. Tests use others. */
interface GoogleServices {
  readonly credentialsUrl: string;
}

const googleServices: GoogleServices = { credentialsUrl: "https://iamcredentials.googleapis.com" };

/**
 * Requests an identity token of the service account in GOOGLE_SERVICE_ACCOUNT_NAME, which the application
 * default credentials must be allowed to impersonate.
 *
 * @throws ServiceError
 * @see https://cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts/generateIdToken
 */
export async function impersonatedToken(
  search: TokenSearch,
  services: GoogleServices = googleServices,
): Promise<IdentityToken> {
  const account = search.env["GOOGLE_SERVICE_ACCOUNT_NAME"] ?? "";
  if (!/^[\w.@:-]{1,256}$/.test(account)) {
    const rule = "must be the email address or the number of a service account";
    throw new ServiceError("IDENTITY", `GOOGLE_SERVICE_ACCOUNT_NAME ${rule}.`);
  }
  const access = await googleAccessToken(search);
  const path = `/v1/projects/-/serviceAccounts/${encodeURIComponent(account)}:generateIdToken`;
  const url = new URL(path, services.credentialsUrl);
  const text = await requestToken(search, {
    service,
    method: "POST",
    url,
    member: "token",
    secrets: [access],
    headers: {
      authorization: `Bearer ${access}`,
      accept: "application/json",
      "content-type": "application/json",
    },
    body: JSON.stringify({ audience, includeEmail: true }),
  });
  return readIdentityToken(text, service);
}

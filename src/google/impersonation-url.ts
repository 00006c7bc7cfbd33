import { checkCredentialUrl } from "./credential-url";
import { GoogleError } from "./google-error";
import type { CredentialFields } from "./credential-fields";
import type { TrustedServices } from "./credentials";

const field = "service_account_impersonation_url";

/** The URL at which a service account is impersonated. */
export function impersonationUrl(account: string, universeDomain: string): string {
  return `https://iamcredentials.${universeDomain}/v1/projects/-/serviceAccounts/${account}:generateAccessToken`;
}

/** The service account in an impersonation URL; undefined for any other URL. */
export function accountIn(url: string): string | undefined {
  return /\/serviceAccounts\/([\w.@:+-]{1,256}):generateAccessToken$/.exec(url)?.[1];
}

/**
 * Reads the impersonation URL in a file of credentials.
 *
 * @throws GoogleError `FILE` or `URL`
 */
export function impersonationUrlIn(fields: CredentialFields, trusted: TrustedServices): string {
  const { origin } = fields;
  const url = checkCredentialUrl({ text: fields.string(field), field, origin }, trusted);
  if (accountIn(url) !== undefined) return url;
  throw new GoogleError(
    "URL",
    `${field} in ${origin} must end with /serviceAccounts/EMAIL:generateAccessToken; nothing was sent`,
  );
}

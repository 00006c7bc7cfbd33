import { networkZone } from "../http/network-zone";
import { goesToLoopback, isLoopbackHost } from "../schema";
import type { CredentialFields } from "./credential-fields";
import { googleUniverse, type TrustedServices } from "./credentials";
import { googleError, type GoogleError } from "./google-error";

/** A URL in a file of credentials. */
interface CredentialUrl {
  readonly text: string;
  /** The name of the field, such as `token_url`. */
  readonly field: string;
  /** The source of the credentials, for the message. */
  readonly origin: string;
}

/** The hosts that a URL may have. */
export type AllowedHosts =
  /** Any host with https, or this machine: for requests that contain only data from the same file. */
  | "any"
  /** As "any", or the metadata service of a cloud, which has only http. */
  | "metadata"
  /** Names below the domain of the universe, with https; this machine only if its services are trusted. */
  | TrustedServices;

/**
 * Checks a URL in a file of credentials before anything is sent there. Otherwise, someone who can write such a
 * file could have tokens and secrets sent to any host.
 *
 * @throws GoogleError `URL`
 * @see https://cloud.google.com/docs/authentication/client-libraries#external-credentials
 */
export function checkCredentialUrl(
  { text, field, origin }: CredentialUrl,
  allowed: AllowedHosts,
): string {
  const refuse = (problem: string): GoogleError =>
    googleError("URL", `${field} in ${origin} ${problem}; nothing was sent`);
  if (!URL.canParse(text)) throw refuse("is not a URL");
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") throw refuse("contains user information");
  const isLocalAllowed = typeof allowed === "string" || allowed.areLocal === true;
  if (isLocalAllowed && isLoopbackHost(url.hostname) && /^https?:$/.test(url.protocol)) {
    return url.href;
  }
  if (allowed === "metadata" && url.protocol === "http:" && isMetadataHost(url)) return url.href;
  if (url.protocol !== "https:") {
    throw refuse(`has the scheme ${url.protocol.slice(0, -1)}; it must be https`);
  }
  const { universeDomain = googleUniverse } = typeof allowed === "string" ? {} : allowed;
  if (typeof allowed !== "string" && !isBelow(url.hostname, universeDomain)) {
    throw refuse(
      `has the host ${url.hostname}; it must be a host of ${universeDomain}. Create the file with gcloud iam workload-identity-pools create-cred-config`,
    );
  }
  return url.href;
}

const isBelow = (host: string, domain: string): boolean =>
  host === domain || host.endsWith(`.${domain}`);

const isMetadataHost = ({ hostname }: URL): boolean =>
  !goesToLoopback(hostname) &&
  (networkZone(hostname) === "link-local" || hostname === "[fd00:ec2::254]");

const impersonationField = "service_account_impersonation_url";

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
  const url = checkCredentialUrl(
    { text: fields.string(impersonationField), field: impersonationField, origin },
    trusted,
  );
  if (accountIn(url) !== undefined) return url;
  throw googleError(
    "URL",
    `${impersonationField} in ${origin} must end with /serviceAccounts/EMAIL:generateAccessToken; nothing was sent`,
  );
}

import { goesToLoopback } from "../http/loopback-lookup";
import { networkZone } from "../http/network-zone";
import { isLoopbackHost } from "../schema/loopback";
import { GoogleError } from "./google-error";

/** A URL in a file of credentials. */
export interface CredentialUrl {
  readonly text: string;
  /** The name of the field, such as `token_url`. */
  readonly field: string;
  /** Where the credentials come from, for the message. */
  readonly origin: string;
}

/** Which hosts a URL may have, in addition to this machine, for tests and local agents. */
export type AllowedHosts =
  /** Any host, with https. */
  | "any"
  /** Google's hosts, with https: names below the domain of the universe. */
  | { readonly below: string }
  /** Any host with https, or the metadata service of a cloud, which has only http. */
  | "metadata";

/**
 * Checks a URL in a file of credentials before anything is sent there. Whoever can write such a file
 * could otherwise let us send tokens and secrets to any host.
 *
 * @throws GoogleError `URL`
 * @see https://cloud.google.com/docs/authentication/client-libraries#external-credentials
 */
export function checkCredentialUrl(
  { text, field, origin }: CredentialUrl,
  allowed: AllowedHosts,
): string {
  const refuse = (problem: string): GoogleError =>
    new GoogleError("URL", `${field} in ${origin} ${problem}; nothing was sent`);
  if (!URL.canParse(text)) throw refuse("is not a URL");
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") throw refuse("contains user information");
  if (isLoopbackHost(url.hostname) && /^https?:$/.test(url.protocol)) return url.href;
  if (allowed === "metadata" && url.protocol === "http:" && isMetadataHost(url)) return url.href;
  if (url.protocol !== "https:") {
    throw refuse(`has the scheme ${url.protocol.slice(0, -1)}; it must be https`);
  }
  if (typeof allowed === "object" && !isBelow(url.hostname, allowed.below)) {
    throw refuse(
      `has the host ${url.hostname}; it must be a host of ${allowed.below}. Create the file with gcloud iam workload-identity-pools create-cred-config`,
    );
  }
  return url.href;
}

const isBelow = (host: string, domain: string): boolean =>
  host === domain || host.endsWith(`.${domain}`);

const isMetadataHost = ({ hostname }: URL): boolean =>
  !goesToLoopback(hostname) &&
  (networkZone(hostname) === "link-local" || hostname === "[fd00:ec2::254]");

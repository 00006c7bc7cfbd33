import { type Context, ProviderError, UNKNOWN, type Unknown } from "../../provider-kit";
import type { Signing } from "../provider/configure";
import { imageOf } from "../provider/image";

type StringValue = string | Unknown | null;

interface Config {
  readonly fulcioUrl: StringValue;
  readonly rekorUrl: StringValue;
  readonly signatureFormat: StringValue;
}

/** The provider's URLs, where the resource sets none. */
interface Urls {
  readonly fulcioUrl?: string | Unknown;
  readonly rekorUrl?: string | Unknown;
}

/** @throws ProviderError if the resource sets a URL that its format would ignore */
function planUrls(config: Config, provider: Signing): Urls {
  const format = config.signatureFormat ?? provider.format;
  for (const name of ["fulcioUrl", "rekorUrl"] as const) {
    const isSet = config[name] !== null && config[name] !== "";
    if (isSet && format !== "legacy" && format !== UNKNOWN) {
      throw new ProviderError({
        summary: "URL Would Be Ignored",
        detail:
          `The provider's default_signature_format is ${JSON.stringify(format)}, and bundles always use the ` +
          "provider's URLs, so the signature would be published elsewhere. Set signature_format to " +
          '"legacy", or set the URL on the provider.',
        path: [name],
      });
    }
  }
  const { fulcioUrl, rekorUrl } = provider;
  return {
    ...(config.fulcioUrl === null && { fulcioUrl }),
    ...(config.rekorUrl === null && { rekorUrl }),
  };
}

/** Timeout for finding an identity token during the plan. */
const identityTimeoutMs = 10_000;

/**
 * Plans the URLs that the resource does not set, and whether an image that was skipped without an identity
 * token can be signed now.
 *
 * @throws ProviderError if the resource sets a URL that its format would ignore
 */
export async function planSigning(
  { config, prior }: { readonly config: Config; readonly prior: Skipped | undefined },
  { client, signal }: Context<Signing>,
): Promise<Urls & { readonly skipped?: Unknown }> {
  const urls = planUrls(config, client);
  if (prior?.skipped !== true) return urls;
  const isSigned = !client.skipWithoutIdentity || (await hasIdentity(client, signal));
  return { ...urls, ...(isSigned && { skipped: UNKNOWN }) };
}

interface Skipped {
  readonly skipped: boolean | null;
}

async function hasIdentity(client: Signing, signal: AbortSignal): Promise<boolean> {
  try {
    const { identity } = await client.services();
    return (await identity({ signal, deadline: Date.now() + identityTimeoutMs })) !== undefined;
  } catch {
    // A token exists but cannot be used. The apply reports why.
    return true;
  }
}

interface Planned extends Config {
  readonly image: string;
  readonly conflict: StringValue;
}

/** The parts of a request that signing and attesting share: the resource's values, or the provider's. */
export function signingRequest(plan: Planned, provider: Signing) {
  const { conflict, fulcioUrl, rekorUrl } = plan;
  const format = plan.signatureFormat ?? provider.format;
  return {
    image: imageOf(plan.image),
    conflict: conflict === "APPEND" || conflict === "REPLACE" ? conflict : "SKIPSAME",
    format: format === "bundle" || format === "both" ? format : "legacy",
    fulcioUrl: settled(fulcioUrl, "fulcioUrl"),
    rekorUrl: settled(rekorUrl, "rekorUrl"),
  } as const;
}

/** Values that were unknown in the plan are known during apply. */
function settled(url: StringValue, name: string): string {
  if (typeof url === "string") return url;
  throw new Error(`${name} was not set by the plan`);
}

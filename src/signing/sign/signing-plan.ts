import { type Context, ProviderError, UNKNOWN, type Unknown } from "../../provider-kit";
import type { Signing } from "../provider/configure";
import type { ProviderServices } from "../provider/services";
import type { SigningServices } from "../run/signing-services";
import { imageOf } from "../provider/image";

type StringValue = string | Unknown | null;

interface Config {
  readonly image: StringValue;
  readonly fulcioUrl: StringValue;
  readonly rekorUrl: StringValue;
  readonly signatureFormat: StringValue;
}

/** The provider's URLs, where the resource sets none. */
interface Urls {
  readonly fulcioUrl?: string | Unknown;
  readonly rekorUrl?: string | Unknown;
}

/** @throws ProviderError if the resource sets a URL that its format would ignore, or lacks one that it needs */
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
  const { fulcioUrl, rekorUrl, isRekorV2 } = provider;
  if (isRekorV2 && format !== "bundle" && format !== UNKNOWN && (config.rekorUrl ?? "") === "") {
    throw new ProviderError({
      summary: "Rekor V2 Needs Bundles",
      detail:
        `The provider's use_rekor_v2 says that its rekor_url is a log of version 2 (Rekor v2), which has no ` +
        `entries for the format ${JSON.stringify(format)}. Set signature_format to "bundle".`,
      path: ["signatureFormat"],
    });
  }
  return {
    ...(config.fulcioUrl === null && fulcioUrl !== undefined && { fulcioUrl }),
    ...(config.rekorUrl === null && rekorUrl !== undefined && { rekorUrl }),
  };
}

/** Timeout for finding an identity token during the plan. */
const identityTimeoutMs = 10_000;

/**
 * Plans the URLs that the resource does not set, and whether an image that was skipped without an identity
 * token can be signed now. Says what the first apply after an import does.
 *
 * @throws ProviderError if the resource sets a URL that its format would ignore
 */
export async function planSigning(
  { config, prior }: { readonly config: Config; readonly prior: Prior | undefined },
  { client, signal, warn }: Context<Signing>,
): Promise<Urls & { readonly skipped?: Unknown }> {
  const urls = planUrls(config, client);
  if (prior !== undefined && isImported(prior)) {
    warn({
      summary: "Imported Resource Is Completed By The Apply",
      detail:
        `The resource for ${prior.image} was imported, so what it wrote is not known yet. The apply looks for it in the ` +
        "registry, writes only what is missing, and records the result. The plan after that is empty.",
    });
  }
  if (prior?.skipped !== true) return urls;
  const isSigned = !client.skipWithoutIdentity || (await hasIdentity(client, signal));
  return { ...urls, ...(isSigned && { skipped: UNKNOWN }) };
}

interface Prior {
  readonly image: string;
  readonly skipped: boolean | null;
}

/** An apply always records whether it skipped; an import cannot know. */
const isImported = ({ skipped }: Prior): boolean => skipped === null;

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
  const { conflict } = plan;
  const format = plan.signatureFormat ?? provider.format;
  return {
    image: imageOf(plan.image),
    conflict: conflict === "APPEND" || conflict === "REPLACE" ? conflict : "SKIPSAME",
    format: format === "bundle" || format === "both" ? format : "legacy",
  } as const;
}

/** The services that a resource is signed with. */
export interface ChosenServices {
  readonly urls: { readonly fulcioUrl: string; readonly rekorUrl: string };
  readonly services: SigningServices;
}

/**
 * Chooses the services: those at the planned URLs, or those that the provider's signing config selects.
 *
 * Layers of the format `legacy` cannot contain entries of version 2 of the log.
 *
 * @throws TrustError
 */
export async function chooseServices(
  plan: Pick<Planned, "fulcioUrl" | "rekorUrl">,
  format: "legacy" | "bundle" | "both",
  services: ProviderServices,
): Promise<ChosenServices> {
  const { select } = services;
  if (select === undefined) {
    const urls = {
      fulcioUrl: settled(plan.fulcioUrl, "fulcioUrl"),
      rekorUrl: settled(plan.rekorUrl, "rekorUrl"),
    };
    return { urls, services };
  }
  const bundle = format === "legacy" ? undefined : await select("bundle");
  const legacy = format === "bundle" ? undefined : await select("legacy");
  const chosen = legacy ?? bundle;
  // The URLs of a resource with bundles are never its own: the plan refuses them.
  const own: Partial<typeof plan> = legacy === undefined ? {} : plan;
  return {
    urls: {
      fulcioUrl: isUrl(own.fulcioUrl) ? own.fulcioUrl : (chosen?.fulcioUrl ?? ""),
      rekorUrl: isUrl(own.rekorUrl) ? own.rekorUrl : (chosen?.logs[0]?.url ?? ""),
    },
    services: {
      ...services,
      timestampUrl: chosen?.timestampUrls[0],
      bundleServices: bundle && (() => Promise.resolve(bundle)),
    },
  };
}

/** The URLs for the state: where the plan knew them, they stay. */
export function urlsForState(
  plan: Pick<Planned, "fulcioUrl" | "rekorUrl">,
  urls: ChosenServices["urls"] | undefined,
) {
  return {
    fulcioUrl: isUrl(plan.fulcioUrl) ? plan.fulcioUrl : (urls?.fulcioUrl ?? null),
    rekorUrl: isUrl(plan.rekorUrl) ? plan.rekorUrl : (urls?.rekorUrl ?? null),
  };
}

const isUrl = (value: StringValue | undefined): value is string => typeof value === "string";

/** Values that were unknown in the plan are known during apply. */
function settled(url: StringValue, name: string): string {
  if (isUrl(url)) return url;
  throw new Error(`${name} was not set by the plan`);
}

import { type Context, ProviderError, UNKNOWN, type Unknown } from "../../provider-kit";
import type { Signing } from "../provider/configure";
import type { ProviderServices } from "../provider/signing-services";
import type { SigningKey, SigningServices } from "../provider/signing-services";
import { imageOf } from "../provider/image";

type StringValue = string | Unknown | null;

interface Config {
  readonly image: StringValue;
  readonly key: StringValue;
  readonly fulcioUrl: StringValue;
  readonly rekorUrl: StringValue;
  readonly signatureFormat: StringValue;
}

/** The provider's URLs, where the resource sets none. */
interface Urls {
  readonly fulcioUrl?: string | Unknown | null;
  readonly rekorUrl?: string | Unknown | null;
}

/**
 * The key to sign with: the resource's or the provider's; undefined for an identity.
 *
 * @throws ProviderError for an identity if the provider logs nothing
 */
function keyOf(config: Pick<Config, "key">, provider: Signing): string | Unknown | undefined {
  const own = config.key === "" ? null : config.key;
  const key = own ?? provider.key;
  if (key !== undefined || provider.isLogged) return key;
  throw new ProviderError({
    summary: "Signatures With An Identity Are Logged",
    detail:
      "The provider's transparency_log is false, but signatures with an identity cannot be verified without " +
      "the log. Set key to sign with a key, or remove transparency_log.",
    path: ["key"],
  });
}

/** @throws ProviderError if the resource sets a URL that is not used with a key */
function refuseUnusedUrls(config: Config, { isLogged }: Signing): void {
  const unused = [
    { name: "fulcioUrl", reason: "a key needs no certificate", isUsed: false },
    { name: "rekorUrl", reason: "the provider's transparency_log is false", isUsed: isLogged },
  ] as const;
  for (const { name, reason, isUsed } of unused) {
    if (isUsed || (config[name] ?? "") === "") continue;
    throw new ProviderError({
      summary: "URL Would Be Ignored",
      detail: `The image is signed with a key, and ${reason}. Remove the URL.`,
      path: [name],
    });
  }
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
  const key = keyOf(config, provider);
  if (typeof key === "string") refuseUnusedUrls(config, provider);
  const { fulcioUrl, rekorUrl, isRekorV2, isLogged } = provider;
  if (isRekorV2 && format !== "bundle" && format !== UNKNOWN && (config.rekorUrl ?? "") === "") {
    throw new ProviderError({
      summary: "Rekor V2 Needs Bundles",
      detail:
        `The provider's use_rekor_v2 says that its rekor_url is a log of version 2 (Rekor v2), which has no ` +
        `entries for the format ${JSON.stringify(format)}. Set signature_format to "bundle".`,
      path: ["signatureFormat"],
    });
  }
  if (key === UNKNOWN) {
    return {
      ...(config.fulcioUrl === null && { fulcioUrl: UNKNOWN }),
      ...(config.rekorUrl === null && { rekorUrl: UNKNOWN }),
    };
  }
  const authority = key === undefined ? fulcioUrl : null;
  const log = isLogged ? rekorUrl : null;
  return {
    ...(config.fulcioUrl === null && authority !== undefined && { fulcioUrl: authority }),
    ...(config.rekorUrl === null && log !== undefined && { rekorUrl: log }),
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
  context: Context<Signing>,
): Promise<Urls & { readonly skipped?: Unknown }> {
  const { client, warn } = context;
  const urls = planUrls(config, client);
  if (prior !== undefined && isImported(prior)) {
    warn({
      summary: "Imported Resource Is Completed By The Apply",
      detail:
        `The resource for ${prior.image} was imported, so what it wrote is not known yet. The apply looks for it in the ` +
        "registry, writes only what is missing, and records the result. The plan after that is empty.",
    });
  }
  if (prior !== undefined && isImported(prior)) return { ...urlsOfApply(config, urls), ...urls };
  if (prior?.skipped !== true) return urls;
  const needsIdentity = keyOf(config, client) === undefined && client.skipWithoutIdentity;
  const isSigned = !needsIdentity || (await hasIdentity(context));
  return { ...urls, ...(isSigned && { skipped: UNKNOWN }) };
}

/** The URLs that only the apply knows: a signing config selects them, and an import finds none. */
function urlsOfApply(config: Config, planned: Urls): Urls {
  const isLeft = (name: keyof Urls) => config[name] === null && planned[name] === undefined;
  return {
    ...(isLeft("fulcioUrl") && { fulcioUrl: UNKNOWN }),
    ...(isLeft("rekorUrl") && { rekorUrl: UNKNOWN }),
  };
}

interface Prior {
  readonly image: string;
  readonly skipped: boolean | null;
}

/** An apply always records whether it skipped; an import cannot know. */
const isImported = ({ skipped }: Prior): boolean => skipped === null;

async function hasIdentity(context: Context<Signing>): Promise<boolean> {
  try {
    const { identity } = await context.client.services();
    const { signal } = context;
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

/** The services that a resource is signed with. A URL that is not used is empty. */
export interface ChosenServices {
  readonly urls: { readonly fulcioUrl: string; readonly rekorUrl: string };
  readonly services: SigningServices;
}

/**
 * Chooses the services: those at the planned URLs, or those that the provider's signing config selects.
 *
 * Layers of the format `legacy` cannot contain entries of version 2 of the log.
 *
 * @throws TrustError, ProviderError
 */
export async function chooseServices(
  plan: Pick<Planned, "key" | "fulcioUrl" | "rekorUrl">,
  format: "legacy" | "bundle" | "both",
  available: ProviderServices,
  provider: Signing,
): Promise<ChosenServices> {
  const key = signingKey(plan, available, provider);
  const services = { ...available, key };
  const { select } = services;
  const isUsed = { fulcioUrl: key === undefined, rekorUrl: key?.isLogged ?? true };
  if (select === undefined) {
    const urlOf = (name: keyof typeof isUsed) => {
      if (!isUsed[name]) return "";
      if (isUrl(plan[name])) return plan[name];
      // Unknown in the plan only with a key that was unknown, too.
      return settled(provider[name], name);
    };
    return { urls: { fulcioUrl: urlOf("fulcioUrl"), rekorUrl: urlOf("rekorUrl") }, services };
  }
  const bundle = format === "legacy" ? undefined : await select("bundle");
  const legacy = format === "bundle" ? undefined : await select("legacy");
  const chosen = legacy ?? bundle;
  // The URLs of a resource with bundles are never its own: the plan refuses them.
  const own: Partial<typeof plan> = legacy === undefined ? {} : plan;
  const selected = { fulcioUrl: chosen?.fulcioUrl, rekorUrl: chosen?.logs[0]?.url };
  const urlOf = (name: keyof typeof isUsed): string => {
    if (!isUsed[name]) return "";
    return isUrl(own[name]) ? own[name] : (selected[name] ?? "");
  };
  return {
    urls: { fulcioUrl: urlOf("fulcioUrl"), rekorUrl: urlOf("rekorUrl") },
    services: {
      ...services,
      timestampUrl: chosen?.timestampUrls[0],
      bundleServices: bundle && (() => Promise.resolve(bundle)),
    },
  };
}

/** The key of a resource, or of its provider. */
function signingKey(
  plan: Pick<Planned, "key">,
  { openKey }: ProviderServices,
  provider: Signing,
): SigningKey | undefined {
  const reference = keyOf(plan, provider);
  if (typeof reference !== "string") return undefined;
  return { open: (context) => openKey(reference, context), isLogged: provider.isLogged };
}

/** The URLs for the state: where the plan knew them, they stay. */
export function urlsForState(
  plan: Pick<Planned, "fulcioUrl" | "rekorUrl">,
  urls: ChosenServices["urls"] | undefined,
) {
  return {
    fulcioUrl: isUrl(plan.fulcioUrl) ? plan.fulcioUrl : usedUrl(urls?.fulcioUrl),
    rekorUrl: isUrl(plan.rekorUrl) ? plan.rekorUrl : usedUrl(urls?.rekorUrl),
  };
}

const usedUrl = (url: string | undefined): string | null =>
  url === undefined || url === "" ? null : url;

const isUrl = (value: StringValue | undefined): value is string => typeof value === "string";

/** Values that were unknown in the plan are known during apply. */
function settled(url: StringValue | undefined, name: string): string {
  if (isUrl(url)) return url;
  throw new Error(`${name} was not set by the plan`);
}

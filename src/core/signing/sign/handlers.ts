import {
  type Context,
  implement,
  known,
  type PlanOf,
  ProviderError,
  UNKNOWN,
  type Unknown,
} from "../../provider-kit";
import type { Signing } from "../provider/configure";
import {
  adopt,
  carryOut,
  isComplete,
  keyOf,
  type Planned,
  type SigningChange,
  type StringValue,
} from "./carry-out";
import { sign } from "./declare";

/**
 * Handlers of the resource that signs images. The signed reference is unknown until the signature exists,
 * so that resources that use it wait.
 */
export const signHandlers = implement(sign)<Signing>({
  plan: planSigning,

  create: signed,

  async read(state, context) {
    if (state.skipped === null) {
      const { signImage } = await import("./sign-image.js");
      return { ...state, ...(await adopt(state, context, signImage)) };
    }
    return (await isComplete(`the signature of ${state.image}`, context)) ? state : undefined;
  },

  update: (plan, _state, context) => signed(plan, context),

  // Signatures are kept: they were valid when they were created.
  delete: () => Promise.resolve(),

  // The read that follows finds our signature. Without one, the next plan is an update that signs.
  import: ({ image = "" }) => imported(image),
  importByIdentity: ({ image }) => imported(image),
});

const imported = (image: string) => ({ image, id: image, signedRef: image });

async function signed(plan: PlanOf<typeof sign>, context: SigningChange) {
  const { signImage } = await import("./sign-image.js");
  const done = await carryOut(`Signing ${plan.image}`, plan, context, signImage);
  return known({ ...plan, ...done, signedRef: plan.image });
}

type Config = Omit<Planned, "image" | "conflict">;

const urlNames = ["fulcioUrl", "rekorUrl"] as const;

type UrlName = (typeof urlNames)[number];

/** The URLs that the plan decides. It decides none that the resource sets. */
type Urls = Partial<Readonly<Record<UrlName, StringValue>>>;

interface Prior {
  readonly image: string;
  readonly skipped: boolean | null;
}

/** Timeout for finding an identity token during the plan. */
const identityTimeoutMs = 10_000;

/**
 * Plans the URLs that the resource does not set, and whether an image that was skipped without an identity
 * token can be signed now. Warns about the first apply after an import or a move.
 *
 * @throws ProviderError if the resource sets a URL that would be ignored, or cannot be signed as configured
 */
export async function planSigning(
  { config, prior }: { readonly config: Config; readonly prior: Prior | undefined },
  context: Context<Signing>,
): Promise<Urls & { readonly skipped?: Unknown }> {
  const { client, warn } = context;
  const key = keyOf(config, client);
  refuseSettings(config, client, key);
  // An apply always records whether it skipped; an import cannot know.
  const isImported = prior?.skipped === null;
  const urls = planUrls(config, client, { key, isImported });
  if (isImported) {
    warn({
      summary: "Imported Resource Is Completed By The Apply",
      detail:
        `The resource for ${prior.image} was imported or moved here, so what it wrote is not known yet. The apply looks for it in the ` +
        "registry, writes only what is missing, and records the result. The plan after that is empty.",
    });
    return { ...urls, skipped: UNKNOWN };
  }
  if (prior?.skipped !== true) return urls;
  const needsIdentity = key === undefined && client.skipWithoutIdentity;
  const isSigned = !needsIdentity || (await hasIdentity(context));
  return { ...urls, ...(isSigned && { skipped: UNKNOWN }) };
}

/** @throws ProviderError if the resource sets a URL that would be ignored, or a format that the log lacks */
function refuseSettings(config: Config, provider: Signing, key: StringValue | undefined): void {
  const { isRekorV2, isLogged } = provider;
  const format = config.signatureFormat ?? provider.format;
  const isBundle = format === "bundle" || format === "both";
  const reasonToIgnore = (name: UrlName): string | undefined => {
    if (isBundle) {
      return (
        `The provider's default_signature_format is ${JSON.stringify(format)}, and bundles always use the ` +
        "provider's URLs, so the signature would be published elsewhere. Set signature_format to " +
        '"legacy", or set the URL on the provider.'
      );
    }
    if (typeof key !== "string" || (name === "rekorUrl" && isLogged)) return undefined;
    return name === "fulcioUrl"
      ? "The image is signed with a key, and a key needs no certificate. Remove the URL."
      : "The image is signed with a key, and the provider's transparency_log is false. Remove the URL.";
  };
  for (const name of urlNames) {
    const detail = (config[name] ?? "") === "" ? undefined : reasonToIgnore(name);
    if (detail === undefined) continue;
    throw new ProviderError({ summary: "URL Would Be Ignored", detail, path: [name] });
  }
  if (isRekorV2 && format !== "bundle" && format !== UNKNOWN && (config.rekorUrl ?? "") === "") {
    throw new ProviderError({
      summary: "Rekor V2 Needs Bundles",
      detail:
        `The provider's use_rekor_v2 says that its rekor_url is a log of version 2 (Rekor v2), which has no ` +
        `entries for the format ${JSON.stringify(format)}. Set signature_format to "bundle".`,
      path: ["signatureFormat"],
    });
  }
}

/** The provider's URLs, as far as they are used. A signing config selects others, which only the apply knows. */
function planUrls(
  config: Config,
  { fulcioUrl, rekorUrl, isLogged }: Signing,
  { key, isImported }: { readonly key: StringValue | undefined; readonly isImported: boolean },
): Urls {
  const used: Readonly<Record<UrlName, StringValue | undefined>> =
    key === UNKNOWN
      ? { fulcioUrl: UNKNOWN, rekorUrl: UNKNOWN }
      : { fulcioUrl: key === undefined ? fulcioUrl : null, rekorUrl: isLogged ? rekorUrl : null };
  const planned = (name: UrlName): Urls => {
    // After an import, there is no earlier URL to keep.
    const url = used[name] === undefined && isImported ? UNKNOWN : used[name];
    return config[name] === null && url !== undefined ? { [name]: url } : {};
  };
  return { ...planned("fulcioUrl"), ...planned("rekorUrl") };
}

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

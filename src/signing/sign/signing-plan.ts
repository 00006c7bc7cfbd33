import { type Context, ProviderError, UNKNOWN, type Unknown } from "../../provider-kit";
import type { Signing } from "../provider/configure";
import { imageOf } from "../provider/image";

type Text = string | Unknown | null;

interface Given {
  readonly fulcioUrl: Text;
  readonly rekorUrl: Text;
  readonly signatureFormat: Text;
}

/** The addresses that the provider gives; none where the resource has its own. */
interface Addresses {
  readonly fulcioUrl?: string | Unknown;
  readonly rekorUrl?: string | Unknown;
}

/**
 * What a plan knows of how something is signed beyond what the resource says.
 *
 * @throws ProviderError for addresses of the resource that its format would ignore
 */
function planAddresses(config: Given, provider: Signing): Addresses {
  const format = config.signatureFormat ?? provider.format;
  for (const name of ["fulcioUrl", "rekorUrl"] as const) {
    const isGiven = config[name] !== null && config[name] !== "";
    if (isGiven && format !== "legacy" && format !== UNKNOWN) {
      throw new ProviderError({
        summary: "Address Would Be Ignored",
        detail:
          `The format is ${JSON.stringify(format)} by the provider's default_signature_format, and bundles ` +
          "take their addresses from the provider alone: what is signed would be published elsewhere. Set " +
          'signature_format to "legacy", or give the provider the address.',
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

/** How long somebody may be looked for who could sign. */
const identityTimeoutMs = 10_000;

/**
 * What a plan knows beyond what the resource says: its addresses, and whether what was skipped once, for
 * want of an identity, is to be signed now.
 */
export async function planSigning(
  { config, prior }: { readonly config: Given; readonly prior: Skipped | undefined },
  { client, signal }: Context<Signing>,
): Promise<Addresses & { readonly skipped?: Unknown }> {
  const addresses = planAddresses(config, client);
  if (prior?.skipped !== true) return addresses;
  const isSigned = !client.skipWithoutIdentity || (await hasIdentity(client, signal));
  return { ...addresses, ...(isSigned && { skipped: UNKNOWN }) };
}

interface Skipped {
  readonly skipped: boolean | null;
}

async function hasIdentity(client: Signing, signal: AbortSignal): Promise<boolean> {
  try {
    const { identity } = await client.services();
    return (await identity({ signal, deadline: Date.now() + identityTimeoutMs })) !== undefined;
  } catch {
    // There is one, and why it cannot be used is said by the apply.
    return true;
  }
}

interface Planned extends Given {
  readonly image: string;
  readonly conflict: Text;
}

/** What signing and attesting are asked for alike, by the resource and else by the provider. */
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

/** What is unknown in a plan is known by the time it is carried out. */
function settled(address: Text, name: string): string {
  if (typeof address === "string") return address;
  throw new Error(`${name} was left open by the plan`);
}

import { ProviderError, UNKNOWN, type Unknown } from "../../provider-kit";
import type { Signing } from "./configure";

type Text = string | Unknown | null;

interface Given {
  readonly fulcioUrl: Text;
  readonly rekorUrl: Text;
  readonly signatureFormat: Text;
}

/** The addresses in effect: the resource's, else the provider's. */
export interface Addresses {
  readonly fulcioUrl: string | Unknown;
  readonly rekorUrl: string | Unknown;
}

/**
 * What a plan knows of how something is signed.
 *
 * @throws ProviderError for addresses of the resource that its format would ignore
 */
export function planAddresses(config: Given, provider: Signing): Addresses {
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
  return {
    fulcioUrl: config.fulcioUrl ?? provider.fulcioUrl,
    rekorUrl: config.rekorUrl ?? provider.rekorUrl,
  };
}

/** How something is stored: as the resource says, else as the provider does. */
export function formatOf(given: Text | undefined, provider: Signing): "legacy" | "bundle" | "both" {
  const format = given ?? provider.format;
  return format === "bundle" || format === "both" ? format : "legacy";
}

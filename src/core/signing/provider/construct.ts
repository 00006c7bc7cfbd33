import { rivalAttestations } from "../stack/rival-attestations";
import { ignoredSettings } from "../stack/ignored-settings";
import { SigningProviderBase } from "./generated";

/**
 * Configures the provider that signs, attests, copies and verifies container images.
 *
 * The stack requires the exact provider version that comes with this package, unless it uses another product.
 *
 * See the guide `docs/guide/signing.md` in this package.
 *
 * @example
 * ```ts
 * new signing.SigningProvider(this, "signing", { defaultSignatureFormat: "bundle" });
 * ```
 */
export class SigningProvider extends SigningProviderBase {
  protected static override readonly stackRules = [rivalAttestations, ignoredSettings];
}

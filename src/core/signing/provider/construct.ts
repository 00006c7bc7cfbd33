import type { Construct } from "constructs";
import { SigningProvider as SigningProviderBinding } from "../../../../bindings/providers/signing/provider";
import { withStrings, type ConstructType } from "../../construct";
import { signingProvider } from "./declare";
import { rivalAttestations } from "../stack/rival-attestations";
import { ignoredSettings } from "../stack/ignored-settings";
import { SigningProviderBase, type SigningProviderProps } from "./generated";

const type: ConstructType = {
  name: "signing.SigningProvider",
  declaration: signingProvider,
  stackRules: [rivalAttestations, ignoredSettings],
};

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
export class SigningProvider extends SigningProviderBase<SigningProviderProps> {
  constructor(scope: Construct, id: string, props: SigningProviderProps = {}) {
    super(scope, id, type, props, (parent, childId, { registries, ...config }) => {
      const blocks = registries === undefined ? {} : { registry: registries };
      return new SigningProviderBinding(parent, childId, {
        ...withStrings(config, "defaultAttestationEntryType", "defaultSignatureFormat"),
        ...blocks,
      });
    });
  }
}

import type { IResolvable } from "cdktf";
import type { Construct } from "constructs";
import {
  SigningProvider as SigningProviderBinding,
  type SigningProviderRegistry,
} from "../../../bindings/providers/signing/provider";
import { ProviderConstruct, withStrings, type ConstructType } from "../../construct";
import { signingProvider } from "./declare";
import { rivalAttestations } from "../stack/rival-attestations";
import { ignoredSettings } from "../stack/ignored-settings";
import type { SigningProviderProps } from "./props";

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
export class SigningProvider extends ProviderConstruct<
  SigningProviderBinding,
  SigningProviderProps
> {
  constructor(scope: Construct, id: string, props: SigningProviderProps = {}) {
    super(scope, id, type, props, (parent, childId, { registries, ...config }) => {
      const blocks = registries === undefined ? {} : { registry: registries };
      return new SigningProviderBinding(parent, childId, {
        ...withStrings(config, "defaultAttestationEntryType", "defaultSignatureFormat"),
        ...blocks,
      });
    });
  }

  /** Type of the transparency log entry for legacy attestations. */
  get defaultAttestationEntryType(): string | undefined {
    return this.resource.defaultAttestationEntryType;
  }

  /** How signatures and attestations are stored when the resource does not set a format. */
  get defaultSignatureFormat(): string | undefined {
    return this.resource.defaultSignatureFormat;
  }

  /** Timeout for signing, attesting or verifying one image. */
  get timeout(): string | undefined {
    return this.resource.timeout;
  }

  /** The private key to sign with, as it was set. */
  get key(): string | undefined {
    return this.resource.key;
  }

  /** True if signatures with a key are written to the transparency log. */
  get transparencyLog(): boolean | IResolvable | undefined {
    return this.resource.transparencyLog;
  }

  /** URL of the certificate authority. */
  get fulcioUrl(): string | undefined {
    return this.resource.fulcioUrl;
  }

  /** URL of the transparency log. */
  get rekorUrl(): string | undefined {
    return this.resource.rekorUrl;
  }

  /** True if bundles are logged in version 2 of the transparency log. */
  get useRekorV2(): boolean | IResolvable | undefined {
    return this.resource.useRekorV2;
  }

  /** Services to sign with, as they were set: a path or JSON. */
  get signingConfig(): string | undefined {
    return this.resource.signingConfig;
  }

  /** URL of the timestamp authority. */
  get timestampUrl(): string | undefined {
    return this.resource.timestampUrl;
  }

  /** Trusted certificates and keys, as they were set: a path or JSON. */
  get trustedRoot(): string | undefined {
    return this.resource.trustedRoot;
  }

  /** OpenID Connect token of the signer, as it was set. */
  get identityToken(): string | undefined {
    return this.resource.identityToken;
  }

  /** True to sign with certificates that are in no certificate transparency log. */
  get insecureIgnoreSct(): boolean | IResolvable | undefined {
    return this.resource.insecureIgnoreSct;
  }

  /** True to leave images unsigned when there is no identity token. */
  get skipWithoutIdentity(): boolean | IResolvable | undefined {
    return this.resource.skipWithoutIdentity;
  }

  /** Credentials and connection settings of registries. */
  get registries(): readonly SigningProviderRegistry[] | IResolvable | undefined {
    return this.resource.registry;
  }
}

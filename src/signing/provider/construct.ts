import type { IResolvable } from "cdktf";
import type { Construct } from "constructs";
import {
  SigningProvider as SigningProviderBinding,
  type SigningProviderRegistry,
} from "../../../bindings/providers/signing/provider";
import { ProviderConstruct, withStrings, type ConstructType } from "../../construct";
import { signingProvider } from "./declare";
import { rivalAttestations } from "../stack/rival-attestations";
import { urlsForLegacyProvider } from "../stack/urls-for-legacy-provider";
import type { SigningProviderProps } from "./props";

const type: ConstructType = {
  name: "signing.SigningProvider",
  declaration: signingProvider,
  stackRules: [rivalAttestations, urlsForLegacyProvider],
};

/**
 * The provider that signs, attests, copies and verifies container images.
 *
 * The stack requires exactly the version that belongs to this package, unless it chooses another product.
 */
export class SigningProvider extends ProviderConstruct<
  SigningProviderBinding,
  SigningProviderProps
> {
  /** @throws ValidationError with everything that is wrong with the settings */
  constructor(scope: Construct, id: string, props: SigningProviderProps = {}) {
    super(scope, id, type, props, (parent, childId, { registries, ...config }) => {
      const blocks = registries === undefined ? {} : { registry: registries };
      return new SigningProviderBinding(parent, childId, {
        ...withStrings(config, "defaultAttestationEntryType", "defaultSignatureFormat"),
        ...blocks,
      });
    });
  }

  /** What the transparency log keeps of legacy attestations. */
  get defaultAttestationEntryType(): string | undefined {
    return this.resource.defaultAttestationEntryType;
  }

  /** How signatures and attestations are stored whose resource does not say. */
  get defaultSignatureFormat(): string | undefined {
    return this.resource.defaultSignatureFormat;
  }

  /** How long signing or attesting one image may take. */
  get timeout(): string | undefined {
    return this.resource.timeout;
  }

  /** Address of the certificate authority. */
  get fulcioUrl(): string | undefined {
    return this.resource.fulcioUrl;
  }

  /** Address of the transparency log. */
  get rekorUrl(): string | undefined {
    return this.resource.rekorUrl;
  }

  /** Address of the time-stamp authority. */
  get timestampUrl(): string | undefined {
    return this.resource.timestampUrl;
  }

  /** Certificates and keys that are trusted, as they were given. */
  get trustedRoot(): string | undefined {
    return this.resource.trustedRoot;
  }

  /** Token of who signs, as it was given. */
  get identityToken(): string | undefined {
    return this.resource.identityToken;
  }

  /** Whether images stay unsigned where there is no identity token. */
  get skipWithoutIdentity(): boolean | IResolvable | undefined {
    return this.resource.skipWithoutIdentity;
  }

  /** How registries are spoken to. */
  get registries(): readonly SigningProviderRegistry[] | IResolvable | undefined {
    return this.resource.registry;
  }
}

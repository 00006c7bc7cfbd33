import { Token, type IResolvable } from "cdktf";
import type { Construct } from "constructs";
import { Sign as SignBinding } from "../../../bindings/providers/signing/sign";
import { product, ResourceConstruct, withStrings, type ConstructType } from "../../construct";
import { sign } from "./declare";
import { copiedImage } from "../stack/copied-image";
import { rivalAttestations } from "../stack/rival-attestations";
import { unusedWithKey } from "../stack/unused-with-key";
import { urlsForLegacyProvider } from "../stack/urls-for-legacy-provider";
import type { SignProps } from "./props";

const type: ConstructType = {
  name: "signing.Sign",
  declaration: sign,
  stackRules: [copiedImage, rivalAttestations, unusedWithKey, urlsForLegacyProvider],
};

/**
 * Signs an image; in the format `legacy`, also signs each image of an index.
 *
 * If the signature is removed from the registry, the next apply signs again. Destroying the resource
 * keeps the signature.
 *
 * See the guide `docs/guide/signing.md` in this package.
 *
 * @example
 * ```ts
 * const sign = new signing.Sign(this, "sign", { image: copy.copiedRef });
 * ```
 */
export class Sign extends ResourceConstruct<SignBinding, SignProps> {
  /** Type of the resource, the same for all products. */
  static readonly typeToken = `${product.name}:signing/v1:Sign`;

  constructor(scope: Construct, id: string, props: SignProps) {
    super(scope, id, type, props, (parent, childId, config) => {
      return new SignBinding(parent, childId, withStrings(config, "conflict", "signatureFormat"));
    });
  }

  /** Reference of the signed image, by digest. */
  get image(): string {
    return this.resource.image;
  }

  /** The treatment of our earlier signatures. */
  get conflict(): IResolvable {
    return Token.asAny(this.resource.conflict);
  }

  /** The private key to sign with, as it was set; null for the provider's key or an identity. */
  get key(): string {
    return this.resource.key;
  }

  /** URL of the certificate authority that is used; null with a key. */
  get fulcioUrl(): string {
    return this.resource.fulcioUrl;
  }

  /** URL of the transparency log that is used; null if the signature is not logged. */
  get rekorUrl(): string {
    return this.resource.rekorUrl;
  }

  /** How the signature is stored; null for the provider's default. */
  get signatureFormat(): IResolvable {
    return Token.asAny(this.resource.signatureFormat);
  }

  /** Reference of the image, known once it is signed: resources that use it wait for the signature. */
  get signedRef(): string {
    return this.resource.signedRef;
  }

  /** True if signing was skipped because there was no identity token. */
  get skipped(): IResolvable {
    return Token.asAny(this.resource.skipped);
  }

  /** Reference of the image. */
  get id(): string {
    return this.resource.id;
  }
}

import { Token, type IResolvable } from "cdktf";
import type { Construct } from "constructs";
import { Sign as SignBinding } from "../../../bindings/providers/signing/sign";
import { product, ResourceConstruct, withStrings, type ConstructType } from "../../construct";
import { sign } from "./declare";
import { copiedImage } from "../stack/copied-image";
import { rivalAttestations } from "../stack/rival-attestations";
import { urlsForLegacyProvider } from "../stack/urls-for-legacy-provider";
import type { SignProps } from "./props";

const type: ConstructType = {
  name: "signing.Sign",
  declaration: sign,
  stackRules: [copiedImage, rivalAttestations, urlsForLegacyProvider],
};

/**
 * A signature of an image; in the format `legacy`, of an index also one of each image in it.
 *
 * When the signature is removed from the registry, the next apply makes it again. Destroying the resource
 * leaves the signature.
 */
export class Sign extends ResourceConstruct<SignBinding, SignProps> {
  /** What the resource is called across products. */
  static readonly typeToken = `${product.name}:signing/v1:Sign`;

  /** @throws ValidationError with everything that is wrong with the properties */
  constructor(scope: Construct, id: string, props: SignProps) {
    super(scope, id, type, props, (parent, childId, config) => {
      return new SignBinding(parent, childId, withStrings(config, "conflict", "signatureFormat"));
    });
  }

  /** Image that is signed, by its digest. */
  get image(): string {
    return this.resource.image;
  }

  /** What becomes of earlier signatures of ours. */
  get conflict(): IResolvable {
    return Token.asAny(this.resource.conflict);
  }

  /** Address of the certificate authority in use. */
  get fulcioUrl(): string {
    return this.resource.fulcioUrl;
  }

  /** Address of the transparency log in use. */
  get rekorUrl(): string {
    return this.resource.rekorUrl;
  }

  /** How the signature is stored; null when the provider decides. */
  get signatureFormat(): IResolvable {
    return Token.asAny(this.resource.signatureFormat);
  }

  /** The image, once it is signed. What uses it waits for the signature. */
  get signedRef(): string {
    return this.resource.signedRef;
  }

  /** Whether nothing was signed for want of an identity. */
  get skipped(): IResolvable {
    return Token.asAny(this.resource.skipped);
  }

  /** The image. */
  get id(): string {
    return this.resource.id;
  }
}

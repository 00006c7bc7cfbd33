import { Token, type IResolvable } from "cdktf";
import type { Construct } from "constructs";
import type { Attest as AttestBinding } from "../../../bindings/providers/signing/attest";
import { Sign as SignBinding } from "../../../bindings/providers/signing/sign";
import { product, ResourceConstruct, withStrings, type ConstructType } from "../../construct";
import { sign } from "./declare";
import { copiedImage } from "../stack/copied-image";
import { rivalAttestations } from "../stack/rival-attestations";
import { ignoredSettings } from "../stack/ignored-settings";
import type { SigningProps, SignProps } from "./props";

const type: ConstructType = {
  name: "signing.Sign",
  declaration: sign,
  stackRules: [copiedImage, rivalAttestations, ignoredSettings],
};

/** The outputs that {@link Sign} and `Attest` share. */
export abstract class SigningConstruct<
  Binding extends SignBinding | AttestBinding,
  Props extends SigningProps,
> extends ResourceConstruct<Binding, Props> {
  /** Reference of the image, by digest. */
  get image(): string {
    return this.resource.image;
  }

  /** The treatment of our earlier signatures or attestations. */
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

  /** URL of the transparency log that is used; null if nothing is logged. */
  get rekorUrl(): string {
    return this.resource.rekorUrl;
  }

  /** How signatures and attestations are stored; null for the provider's default. */
  get signatureFormat(): IResolvable {
    return Token.asAny(this.resource.signatureFormat);
  }

  /** True if nothing was written because there was no identity token. */
  get skipped(): IResolvable {
    return Token.asAny(this.resource.skipped);
  }

  /** Reference of the image. */
  get id(): string {
    return this.resource.id;
  }
}

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
export class Sign extends SigningConstruct<SignBinding, SignProps> {
  /** Type of the resource, the same for all products. */
  static readonly typeToken = `${product.name}:signing/v1:Sign`;

  constructor(scope: Construct, id: string, props: SignProps) {
    super(scope, id, type, props, (parent, childId, config) => {
      return new SignBinding(parent, childId, withStrings(config, "conflict", "signatureFormat"));
    });
  }

  /** Reference of the image, known once it is signed: resources that use it wait for the signature. */
  get signedRef(): string {
    return this.resource.signedRef;
  }
}

import type { Construct } from "constructs";
import { Sign as SignBinding } from "../../../../bindings/providers/signing/sign";
import { withStrings, type ConstructType } from "../../construct";
import { sign } from "./declare";
import { copiedImage } from "../stack/copied-image";
import { rivalAttestations } from "../stack/rival-attestations";
import { ignoredSettings } from "../stack/ignored-settings";
import { SignBase, type SignProps } from "./generated";

const type: ConstructType = {
  name: "signing.Sign",
  declaration: sign,
  stackRules: [copiedImage, rivalAttestations, ignoredSettings],
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
export class Sign extends SignBase<SignProps> {
  constructor(scope: Construct, id: string, props: SignProps) {
    super(scope, id, type, props, (parent, childId, config) => {
      return new SignBinding(parent, childId, withStrings(config, "conflict", "signatureFormat"));
    });
  }
}

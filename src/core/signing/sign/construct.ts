import { copiedImage } from "../stack/copied-image";
import { rivalAttestations } from "../stack/rival-attestations";
import { ignoredSettings } from "../stack/ignored-settings";
import { SignBase } from "./generated";

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
export class Sign extends SignBase {
  protected static override readonly stackRules = [copiedImage, rivalAttestations, ignoredSettings];
}

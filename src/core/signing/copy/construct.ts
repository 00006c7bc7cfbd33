import { CopyBase } from "./generated";
import { copiedImage } from "../stack/copied-image";

/**
 * Copies an image to another repository, or to an image layout on disk, with its signatures and attestations.
 *
 * Destroying the resource keeps the copy.
 *
 * See the guide `docs/guide/signing.md` in this package.
 *
 * @example
 * ```ts
 * const copy = new signing.Copy(this, "copy", {
 *   source: `registry.example.org/build/app@sha256:${"a".repeat(64)}`,
 *   destination: "registry.example.org/release/app",
 * });
 * ```
 */
export class Copy extends CopyBase {
  protected static override readonly stackRules = [copiedImage];
}

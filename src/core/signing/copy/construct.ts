import type { Construct } from "constructs";
import { Copy as CopyBinding } from "../../../../bindings/providers/signing/copy";
import type { ConstructType } from "../../construct";
import { CopyBase, type CopyProps } from "./generated";
import { copy } from "./declare";
import { copiedImage } from "../stack/copied-image";

const type: ConstructType = {
  name: "signing.Copy",
  declaration: copy,
  stackRules: [copiedImage],
};

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
export class Copy extends CopyBase<CopyProps> {
  constructor(scope: Construct, id: string, props: CopyProps) {
    super(scope, id, type, props, (...given) => new CopyBinding(...given));
  }
}

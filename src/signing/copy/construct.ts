import type { Construct } from "constructs";
import { Copy as CopyBinding } from "../../../bindings/providers/signing/copy";
import { product, ResourceConstruct, type ConstructType } from "../../construct";
import type { CopyProps } from "./props";
import { copy } from "./declare";
import { copiedImage } from "../stack/copied-image";

const type: ConstructType = {
  name: "signing.Copy",
  declaration: copy,
  stackRules: [copiedImage],
};

/**
 * Copies an image to another repository, with its signatures and attestations.
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
export class Copy extends ResourceConstruct<CopyBinding, CopyProps> {
  /** Type of the resource, the same for all products. */
  static readonly typeToken = `${product.name}:signing/v1:Copy`;

  constructor(scope: Construct, id: string, props: CopyProps) {
    super(scope, id, type, props, (...given) => new CopyBinding(...given));
  }

  /** Reference of the copied image, by digest. */
  get source(): string {
    return this.resource.source;
  }

  /** Repository to which the image is copied. */
  get destination(): string {
    return this.resource.destination;
  }

  /** Tags that the copy gets at the destination. */
  get tags(): readonly string[] {
    return this.resource.tags;
  }

  /** Platforms whose images are copied. */
  get platforms(): readonly string[] {
    return this.resource.platforms;
  }

  /**
   * Reference of the copy: the destination with the image's digest. Resources that use it wait for the copy.
   */
  get copiedRef(): string {
    return this.resource.copiedRef;
  }

  /** The same as {@link copiedRef}. */
  get id(): string {
    return this.resource.id;
  }
}

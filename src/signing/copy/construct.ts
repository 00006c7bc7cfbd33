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
 * A copy of an image in another repository, with its signatures and attestations.
 *
 * Destroying the resource leaves the copy.
 */
export class Copy extends ResourceConstruct<CopyBinding, CopyProps> {
  /** What the resource is called across products. */
  static readonly typeToken = `${product.name}:signing/v1:Copy`;

  /** @throws ValidationError with everything that is wrong with the properties */
  constructor(scope: Construct, id: string, props: CopyProps) {
    super(scope, id, type, props, (...given) => new CopyBinding(...given));
  }

  /** Image that is copied, by its digest. */
  get source(): string {
    return this.resource.source;
  }

  /** Repository into which the image is copied. */
  get destination(): string {
    return this.resource.destination;
  }

  /** The copy: the destination with the image's digest. What uses it waits until the copy is there. */
  get copiedRef(): string {
    return this.resource.copiedRef;
  }

  /** The same as {@link copiedRef}. */
  get id(): string {
    return this.resource.id;
  }
}

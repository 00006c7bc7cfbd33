import type { Construct } from "constructs";
import { DataSigningVerify } from "../../../bindings/providers/signing/data-signing-verify";
import { DataSourceConstruct, product, type ConstructType } from "../../construct";
import type { DataVerifyProps } from "./props";
import { verify } from "./declare";
import { copiedImage } from "../stack/copied-image";

const type: ConstructType = {
  name: "signing.DataVerify",
  declaration: verify,
  stackRules: [copiedImage],
};

/**
 * Verifies an image by a policy; planning or applying fails when it does not hold.
 *
 * What uses {@link verifiedRef} uses exactly what was verified.
 */
export class DataVerify extends DataSourceConstruct<DataSigningVerify, DataVerifyProps> {
  /** What the data source is called across products. */
  static readonly typeToken = `${product.name}:signing/v1:DataVerify`;

  /** @throws ValidationError with everything that is wrong with the properties */
  constructor(scope: Construct, id: string, props: DataVerifyProps) {
    super(scope, id, type, props, (...given) => new DataSigningVerify(...given));
  }

  /** Image that is verified, as it was given. */
  get image(): string {
    return this.resource.image;
  }

  /** Policies by which it is verified. */
  get policy(): string {
    return this.resource.policy;
  }

  /** The image that was verified, by its digest. */
  get verifiedRef(): string {
    return this.resource.verifiedRef;
  }

  /** The same as {@link verifiedRef}. */
  get id(): string {
    return this.resource.id;
  }
}

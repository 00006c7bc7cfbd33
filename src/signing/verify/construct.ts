import type { Construct } from "constructs";
import { DataSigningVerify } from "../../../bindings/providers/signing/data-signing-verify";
import { DataSourceConstruct, product, productOf, type ConstructType } from "../../construct";
import type { DataVerifyProps } from "./props";
import { verify } from "./declare";
import { verifyInStack } from "./verify-in-stack";
import { copiedImage } from "../stack/copied-image";

const type: ConstructType = {
  name: "signing.DataVerify",
  declaration: verify,
  stackRules: [copiedImage],
};

const typeWithPolicies: ConstructType = { ...type, declaration: verifyInStack };

/** Policies are checked for our provider. Another product's provider has its own rules. */
const typeFor = (scope: Construct): ConstructType =>
  productOf(scope, "signing").name === product.name ? typeWithPolicies : type;

/**
 * Verifies an image against a policy. The plan or the apply fails if the policy does not accept the image.
 *
 * Resources that use {@link verifiedRef} use exactly the image that was verified.
 *
 * See the guide `docs/guide/policies.md` in this package.
 *
 * @example
 * ```ts
 * const verified = new signing.DataVerify(this, "verified", {
 *   image: attest.attestedRef,
 *   policy: readFileSync("policy.yaml", "utf8"),
 * });
 * ```
 */
export class DataVerify extends DataSourceConstruct<DataSigningVerify, DataVerifyProps> {
  /** Type of the data source, the same for all products. */
  static readonly typeToken = `${product.name}:signing/v1:DataVerify`;

  constructor(scope: Construct, id: string, props: DataVerifyProps) {
    super(scope, id, typeFor(scope), props, (...given) => new DataSigningVerify(...given));
  }

  /** Reference of the image, as it was set. */
  get image(): string {
    return this.resource.image;
  }

  /** Policies against which the image is verified. */
  get policy(): string {
    return this.resource.policy;
  }

  /** Reference of the verified image, by digest. */
  get verifiedRef(): string {
    return this.resource.verifiedRef;
  }

  /** The same as {@link verifiedRef}. */
  get id(): string {
    return this.resource.id;
  }
}

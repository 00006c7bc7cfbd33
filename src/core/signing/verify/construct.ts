import type { Construct } from "constructs";
import { DataSigningVerify } from "../../../../bindings/providers/signing/data-signing-verify";
import { product, productOf } from "../../construct";
import { DataVerifyBase, type DataVerifyProps } from "./generated";
import { verify } from "./declare";
import type { Declaration, ResourceRule } from "../../schema";
import type * as policyCheckModule from "./policy-check";
import { copiedImage } from "../stack/copied-image";

let loaded: typeof policyCheckModule | undefined;

function policyCheck(): typeof policyCheckModule {
  // A static import would load the parser into every app that uses the library.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  loaded ??= require("./policy-check") as typeof policyCheckModule;
  return loaded;
}

/** Checks a policy that is known before synthesis. The provider checks every policy. */
const soundPolicy: ResourceRule<"policy"> = {
  code: "INVALID_ARGUMENT",
  severity: "error",
  inputs: ["policy"],
  doc: (label) => `\`${label("policy")}\` must contain valid policies`,
  broken: ({ policy }) =>
    typeof policy === "string"
      ? policyCheck()
          .policyProblems(policy)
          .map((message) => ({ name: "policy", message }))
      : [],
};

const withPolicies: Declaration = { ...verify, rules: [...verify.rules, soundPolicy] };

/** Only for the default product: another product's provider has its own rules for policies. */
const declarationFor = (scope: Construct): Declaration =>
  productOf(scope, "signing").name === product.name ? withPolicies : verify;

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
export class DataVerify extends DataVerifyBase<DataVerifyProps> {
  protected static override readonly stackRules = [copiedImage];

  constructor(scope: Construct, id: string, props: DataVerifyProps) {
    super(scope, id, declarationFor(scope), props, (...given) => new DataSigningVerify(...given));
  }
}

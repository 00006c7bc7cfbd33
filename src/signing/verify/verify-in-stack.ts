import type { Declaration, ResourceRule } from "../../schema";
import { verify } from "./declare";
import type * as policyCheckModule from "./policy-check";

let loaded: typeof policyCheckModule | undefined;

function policyCheck(): typeof policyCheckModule {
  // A static import would load the parser into every app that uses the library.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  loaded ??= require("./policy-check") as typeof policyCheckModule;
  return loaded;
}

/** A policy that is known before synthesis has no problems. The provider checks it again, also if it is not. */
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

/** The declaration of the construct: the data source's, with the check that the provider does by itself. */
export const verifyInStack: Declaration = { ...verify, rules: [...verify.rules, soundPolicy] };

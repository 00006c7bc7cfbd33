/** Why parts of policies are refused that only a cluster, or another language, can give a meaning. */
export const trustRootProblem =
  "names a TrustRoot, which only a cluster has: leave it out, and give the trusted certificates and keys to the provider";

export const policyBodyProblem =
  "cannot be evaluated: policies in CUE or Rego are not supported. Leave it out, and let identities and predicate types decide";

/** Message for a reference to a `TrustRoot`, which is a resource of a cluster. */
export const trustRootProblem =
  "refers to a TrustRoot, which exists only in a cluster: omit it, and set the trusted certificates and keys on the provider";

/** Message for a policy in CUE or Rego. */
export const policyBodyProblem =
  "is not supported: policies in CUE or Rego cannot be evaluated. Omit it, and use identities and predicate types";

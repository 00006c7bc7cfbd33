/** Message for a reference to a `TrustRoot`, which is a resource of a cluster. */
export const trustRootProblem =
  "refers to a TrustRoot, which exists only in a cluster: omit it, and set the trusted certificates and keys on the provider";

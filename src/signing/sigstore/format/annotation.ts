/** Names of the annotations of signatures, attestations and bundles. */
export const annotation = {
  signature: "dev.cosignproject.cosign/signature",
  certificate: "dev.sigstore.cosign/certificate",
  chain: "dev.sigstore.cosign/chain",
  logBundle: "dev.sigstore.cosign/bundle",
  timestamp: "dev.sigstore.cosign/rfc3161timestamp",
  predicateType: "predicateType",
  created: "org.opencontainers.image.created",
  bundleContent: "dev.sigstore.bundle.content",
  bundlePredicateType: "dev.sigstore.bundle.predicateType",
} as const;

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

/** Media types of signatures, attestations and bundles in registries. */
export const signingTypes = {
  imageConfig: "application/vnd.oci.image.config.v1+json",
  emptyConfig: "application/vnd.oci.empty.v1+json",
  simpleSigning: "application/vnd.dev.cosign.simplesigning.v1+json",
  dsseEnvelope: "application/vnd.dsse.envelope.v1+json",
  bundle: "application/vnd.dev.sigstore.bundle.v0.3+json",
} as const;

/**
 * Artifact types of referrers whose layers are those of a legacy signature or attestation.
 *
 * @see https://github.com/sigstore/cosign/blob/main/specs/SIGNATURE_SPEC.md#storage
 */
export const layerArtifacts = {
  signature: "application/vnd.dev.cosign.artifact.sig.v1+json",
  attestation: "application/vnd.dev.cosign.artifact.att.v1+json",
} as const;

export const notationType = "application/vnd.cncf.notary.signature";

/** True for the artifact types of signatures and attestations that we know. */
export function isSignatureType(type: string | undefined): boolean {
  const others: readonly (string | undefined)[] = [...Object.values(layerArtifacts), notationType];
  return isBundleType(type) || others.includes(type);
}

/** True for the artifact type of a bundle of any version. */
export function isBundleType(type: string | undefined): boolean {
  return type?.startsWith("application/vnd.dev.sigstore.bundle") ?? false;
}

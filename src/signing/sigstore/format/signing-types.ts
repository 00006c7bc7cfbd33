/** Media types of signatures, attestations and bundles in registries. */
export const signingTypes = {
  imageConfig: "application/vnd.oci.image.config.v1+json",
  emptyConfig: "application/vnd.oci.empty.v1+json",
  simpleSigning: "application/vnd.dev.cosign.simplesigning.v1+json",
  dsseEnvelope: "application/vnd.dsse.envelope.v1+json",
  bundle: "application/vnd.dev.sigstore.bundle.v0.3+json",
} as const;

/** Whether an artifact type is that of a bundle of any version. */
export function isBundleType(type: string | undefined): boolean {
  return type?.startsWith("application/vnd.dev.sigstore.bundle") ?? false;
}

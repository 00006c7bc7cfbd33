import type { JsonObject } from "../../../json/json-value";
import { type Descriptor, mediaTypes } from "../../oci/protocol/descriptor";
import { digestOf } from "../../oci/reference/digest";

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

/** Serializes the configuration of the image under a tag such as `sha256-….sig`, for its layers. */
export function writeAttachedConfig(layers: readonly Descriptor[]) {
  const epoch = "0001-01-01T00:00:00Z";
  const config = json({
    architecture: "",
    created: epoch,
    history: layers.map(() => ({ created: epoch })),
    os: "",
    rootfs: { type: "layers", diff_ids: layers.map(({ digest }) => digest) },
    config: {},
  });
  const mediaType = signingTypes.imageConfig;
  return {
    config,
    configDescriptor: { mediaType, size: config.byteLength, digest: digestOf(config) },
  };
}

/** Converts a descriptor to JSON, with members in the order that other tools use, and sorted annotations. */
export function writeDescriptor(descriptor: Descriptor): JsonObject {
  const { mediaType: type, size, digest, annotations, artifactType } = descriptor;
  return {
    mediaType: type,
    size,
    digest,
    ...(annotations && { annotations: sorted(annotations) }),
    ...(artifactType !== undefined && { artifactType }),
  };
}

/**
 * The content of an empty configuration.
 *
 * @see https://github.com/opencontainers/image-spec/blob/main/manifest.md#guidance-for-an-empty-descriptor
 */
export const emptyConfig = Buffer.from("{}", "utf8");

interface BundleManifestProps {
  /** The image that the bundle is about. */
  readonly subject: Descriptor;
  readonly bundle: Uint8Array;
  readonly predicateType: string;
  readonly created: Date;
}

/** Serializes the manifest through which a bundle refers to an image. */
export function writeBundleManifest(props: BundleManifestProps): Buffer {
  const { subject, bundle, predicateType, created } = props;
  return json({
    schemaVersion: 2,
    mediaType: mediaTypes.imageManifest,
    artifactType: signingTypes.bundle,
    config: {
      mediaType: signingTypes.emptyConfig,
      size: emptyConfig.byteLength,
      digest: digestOf(emptyConfig),
      artifactType: signingTypes.bundle,
    },
    layers: [{ mediaType: signingTypes.bundle, size: bundle.byteLength, digest: digestOf(bundle) }],
    annotations: {
      [annotation.bundleContent]: "dsse-envelope",
      [annotation.bundlePredicateType]: predicateType,
      [annotation.created]: `${created.toISOString().slice(0, 19)}Z`,
    },
    subject: writeDescriptor({
      mediaType: subject.mediaType,
      size: subject.size,
      digest: subject.digest,
    }),
  });
}

function sorted(strings: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(strings).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value), "utf8");
}

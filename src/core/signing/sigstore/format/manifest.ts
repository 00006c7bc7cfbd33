import { goStruct } from "../../../json/exact-json";
import { parseJson, JsonFields } from "../../../json/parse-json";
import { jsonError } from "../../../json/read-json";
import type { JsonObject } from "../../../json/plain-json";
import {
  type Descriptor,
  type Digest,
  digestOf,
  isDigest,
  mediaTypes,
} from "../../oci/reference/descriptor";
import { type LogEntry, writeLogBundle } from "./log-entry";

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
 * Artifact types of referrers with the layers of a legacy signature or attestation.
 *
 * @see https://github.com/sigstore/cosign/blob/main/specs/SIGNATURE_SPEC.md#storage
 */
export const layerArtifacts = {
  signature: "application/vnd.dev.cosign.artifact.sig.v1+json",
  attestation: "application/vnd.dev.cosign.artifact.att.v1+json",
} as const;

export const notationType = "application/vnd.cncf.notary.signature";

/** True for the known artifact types of signatures and attestations. */
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

/** Converts a descriptor to JSON, with members in the order of other tools, and sorted annotations. */
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

/**
 * A layer of a legacy signature or attestation, with its content.
 *
 * @see https://github.com/sigstore/cosign/blob/main/specs/SIGNATURE_SPEC.md
 */
export interface LegacyLayer {
  readonly mediaType: string;
  readonly blob: Buffer;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface SigningEvidence {
  /** Undefined for a signature with a bare key. */
  readonly certificatePem?: string | undefined;
  /** The certificates above the leaf, the nearest first. */
  readonly chainPem?: string | undefined;
  readonly logEntry?: LogEntry | undefined;
  /** An RFC 3161 response over the signature. */
  readonly timestamp?: Uint8Array | undefined;
}

export function signatureLayer(
  payload: Buffer,
  signature: Uint8Array,
  evidence: SigningEvidence,
): LegacyLayer {
  return {
    mediaType: signingTypes.simpleSigning,
    blob: payload,
    annotations: {
      [annotation.signature]: Buffer.from(signature).toString("base64"),
      ...evidenceAnnotations(evidence),
    },
  };
}

/** Creates the layer of a legacy attestation. Its signature is in the envelope. */
export function attestationLayer(
  envelope: Buffer,
  predicateType: string,
  evidence: SigningEvidence,
): LegacyLayer {
  return {
    mediaType: signingTypes.dsseEnvelope,
    blob: envelope,
    annotations: {
      [annotation.signature]: "",
      ...evidenceAnnotations(evidence),
      [annotation.predicateType]: predicateType,
    },
  };
}

export function layerDescriptor({ mediaType: type, blob, annotations }: LegacyLayer): Descriptor {
  return { mediaType: type, size: blob.byteLength, digest: digestOf(blob), annotations };
}

function evidenceAnnotations(evidence: SigningEvidence): Readonly<Record<string, string>> {
  const { certificatePem, chainPem, logEntry, timestamp } = evidence;
  return {
    ...(certificatePem !== undefined && { [annotation.certificate]: certificatePem }),
    ...(chainPem !== undefined && { [annotation.chain]: chainPem }),
    ...(logEntry && { [annotation.logBundle]: writeLogBundle(logEntry) }),
    ...(timestamp && {
      [annotation.timestamp]: JSON.stringify({
        SignedRFC3161Timestamp: Buffer.from(timestamp).toString("base64"),
      }),
    }),
  };
}

const type = "cosign container image signature";

/**
 * The payload of a legacy signature.
 *
 * @see https://github.com/containers/image/blob/main/docs/containers-signature.5.md
 */
interface SimpleSigning {
  /** The repository in which the image was signed. Copies keep it. */
  readonly dockerReference: string;
  readonly digest: Digest;
}

/** The bytes that a legacy signature signs. They are the same for all signers of the image. */
export function simpleSigningPayload({ dockerReference, digest }: SimpleSigning): Buffer {
  const critical = goStruct({
    identity: goStruct({ "docker-reference": dockerReference }),
    image: goStruct({ "docker-manifest-digest": digest }),
    type,
  });
  return Buffer.from(goStruct({ critical, optional: null }).text, "utf8");
}

/** Parses the payload of a legacy signature. @throws JsonError */
export function readSimpleSigning(payload: Uint8Array): SimpleSigning {
  const critical = JsonFields.of(parseJson(payload), "payload").fields("critical");
  if (critical.string("type") !== type) {
    throw jsonError("SHAPE", `the payload's critical.type is not "${type}"`);
  }
  const digest = critical.fields("image").string("docker-manifest-digest");
  if (!isDigest(digest)) throw jsonError("SHAPE", "the payload has no sha256 or sha512 digest");
  return { dockerReference: critical.fields("identity").string("docker-reference"), digest };
}

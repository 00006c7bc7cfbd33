import { annotation } from "./annotation";
import type { Descriptor } from "../../oci/protocol/descriptor";
import { digestOf } from "../payload/digest-of";
import { writeLogBundle, type LogEntry } from "./log-entry";
import { signingTypes } from "./signing-types";

/** A layer with its content: what is put into the registry, and what is verified. */
export interface LegacyLayer {
  readonly mediaType: string;
  readonly blob: Buffer;
  readonly annotations: Readonly<Record<string, string>>;
}

/** By what a signature can be verified later. */
export interface SigningEvidence {
  /** Absent for keys that users keep themselves. */
  readonly certificatePem?: string | undefined;
  /** The certificates above the leaf, intermediate first. */
  readonly chainPem?: string | undefined;
  readonly logEntry?: LogEntry | undefined;
  /** An RFC 3161 answer over the signature. */
  readonly timestamp?: Uint8Array | undefined;
}

/** The layer of a legacy signature. */
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

/** The layer of a legacy attestation; its signature stands in the envelope. */
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

/** How a manifest names a layer. */
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

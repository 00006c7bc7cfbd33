import { annotation, signingTypes } from "./manifest";
import type { Descriptor } from "../../oci/protocol/descriptor";
import { digestOf, isDigest, type Digest } from "../../oci/reference/digest";
import { writeLogBundle, type LogEntry } from "./log-entry";
import { goStruct } from "../../../json/go-json";
import { JsonFields } from "../../../json/json-fields";
import { parseJson } from "../../../json/parse-json";
import { JsonError } from "../../../json/json-error";

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
    throw new JsonError("SHAPE", `the payload's critical.type is not "${type}"`);
  }
  const digest = critical.fields("image").string("docker-manifest-digest");
  if (!isDigest(digest)) throw new JsonError("SHAPE", "the payload has no sha256 or sha512 digest");
  return { dockerReference: critical.fields("identity").string("docker-reference"), digest };
}

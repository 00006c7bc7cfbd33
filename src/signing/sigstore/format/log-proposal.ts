import { createHash, type KeyObject } from "node:crypto";
import { sha256Hex } from "../../oci/reference/digest";

/**
 * An entry that is proposed to version 1 of the transparency log.
 *
 * @see https://github.com/sigstore/rekor/blob/main/openapi.yaml
 */
export interface LogProposal {
  readonly kind: "hashedrekord" | "intoto" | "dsse";
  readonly apiVersion: "0.0.1";
  readonly spec: Readonly<Record<string, unknown>>;
}

/** Proposes an entry for a signature. The log receives only the hash of the payload. */
export function proposeHashedRekord(
  payload: Uint8Array,
  signature: Uint8Array,
  publicKeyPem: string,
): LogProposal {
  return proposal("hashedrekord", {
    data: { hash: { algorithm: "sha256", value: sha256Hex(payload) } },
    signature: { content: base64(signature), publicKey: { content: base64(publicKeyPem) } },
  });
}

/** Proposes an `intoto` entry for an attestation, from the exact bytes of the layer. */
export function proposeIntoto(envelope: Buffer, publicKeyPem: string): LogProposal {
  return proposal("intoto", {
    content: { envelope: envelope.toString("utf8") },
    publicKey: base64(publicKeyPem),
  });
}

/** Proposes a `dsse` entry for an attestation, from the exact bytes of the layer. */
export function proposeDsse(envelope: Buffer, publicKeyPem: string): LogProposal {
  return proposal("dsse", {
    proposedContent: { envelope: envelope.toString("utf8"), verifiers: [base64(publicKeyPem)] },
  });
}

function proposal(kind: LogProposal["kind"], spec: LogProposal["spec"]): LogProposal {
  return { kind, apiVersion: "0.0.1", spec };
}

/** A signature to log in Rekor v2, with the certificate or key that verifies it. */
export interface RekorV2Proposal {
  /** The signed bytes: of a DSSE envelope, its pre-authentication encoding. The log receives only their hash. */
  readonly bytes: Uint8Array;
  /** The signature over the bytes with SHA-256. */
  readonly signature: Uint8Array;
  /** In DER. */
  readonly verifier: { readonly certificate: Uint8Array } | { readonly publicKey: Uint8Array };
  /** The signer's public key, without a {@link rekorV2KeyProblem}. */
  readonly key: KeyObject;
}

/**
 * The request that logs a signature in Rekor v2, which has only one kind of entry for all signatures.
 *
 * @see https://github.com/sigstore/rekor-tiles/blob/main/CLIENTS.md
 */
export function proposeRekorV2({ bytes, signature, verifier, key }: RekorV2Proposal): object {
  return {
    hashedRekordRequestV002: {
      digest: createHash("sha256").update(bytes).digest("base64"),
      signature: {
        content: base64(signature),
        verifier: {
          ...("certificate" in verifier
            ? { x509Certificate: { rawBytes: base64(verifier.certificate) } }
            : { publicKey: { rawBytes: base64(verifier.publicKey) } }),
          keyDetails: keyDetailsOf(key),
        },
      },
    },
  };
}

/**
 * Explains why a key cannot be used with Rekor v2; undefined if it can.
 *
 * A signature by RSA is always the same. The log accepts it once, and then neither adds nor returns an entry.
 *
 * @see https://github.com/sigstore/rekor-tiles/issues/620
 */
export function rekorV2KeyProblem(key: KeyObject): string | undefined {
  if (keyDetailsOf(key) !== undefined) return undefined;
  const problem = "Rekor v2 accepts only keys for ECDSA P-256";
  if (key.asymmetricKeyType !== "rsa") return problem;
  return `${problem} from here, because an RSA key always makes the same signature, and the log accepts that only once`;
}

/** @see https://github.com/sigstore/protobuf-specs/blob/main/protos/sigstore_common.proto */
function keyDetailsOf({ asymmetricKeyDetails }: KeyObject): string | undefined {
  const isAccepted = asymmetricKeyDetails?.namedCurve === "prime256v1";
  return isAccepted ? "PKIX_ECDSA_P256_SHA_256" : undefined;
}

function base64(bytes: Uint8Array | string): string {
  return Buffer.from(bytes).toString("base64");
}

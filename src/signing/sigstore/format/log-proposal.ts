import type { DsseEnvelope } from "../payload/dsse";
import { sha256Hex } from "../../oci/reference/digest";

/**
 * An entry that is proposed to the transparency log.
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
    data: { hash: sha256(payload) },
    signature: { content: base64(signature), publicKey: { content: base64(publicKeyPem) } },
  });
}

/**
 * Proposes an `intoto` entry for an attestation.
 *
 * @param envelope the exact bytes of the layer
 */
export function proposeIntoto(envelope: Uint8Array, publicKeyPem: string): LogProposal {
  return proposal("intoto", {
    content: { envelope: utf8(envelope) },
    publicKey: base64(publicKeyPem),
  });
}

/**
 * Proposes a `dsse` entry for an attestation.
 *
 * @param envelope the exact bytes of the layer
 */
export function proposeDsse(envelope: Uint8Array, publicKeyPem: string): LogProposal {
  return proposal("dsse", {
    proposedContent: { envelope: utf8(envelope), verifiers: [base64(publicKeyPem)] },
  });
}

/** The `hashedrekord` entry as stored in the log: canonical JSON (RFC 8785). */
export function storedHashedRekord(
  payload: Uint8Array,
  signature: Uint8Array,
  publicKeyPem: string,
): Buffer {
  const { spec } = proposeHashedRekord(payload, signature, publicKeyPem);
  return stored("hashedrekord", spec);
}

/**
 * The `intoto` entry as stored in the log.
 *
 * @param envelope the bytes that were sent to the log
 * @param payload the payload in the envelope
 */
export function storedIntoto(
  envelope: Uint8Array,
  payload: Uint8Array,
  publicKeyPem: string,
): Buffer {
  return stored("intoto", {
    content: { hash: sha256(envelope), payloadHash: sha256(payload) },
    publicKey: base64(publicKeyPem),
  });
}

/** The `dsse` entry as stored in the log. */
export function storedDsse(
  envelope: Uint8Array,
  { payload, signature }: Pick<DsseEnvelope, "payload" | "signature">,
  publicKeyPem: string,
): Buffer {
  return stored("dsse", {
    envelopeHash: sha256(envelope),
    payloadHash: sha256(payload),
    signatures: [{ signature: base64(signature), verifier: base64(publicKeyPem) }],
  });
}

function proposal(kind: LogProposal["kind"], spec: LogProposal["spec"]): LogProposal {
  return { kind, apiVersion: "0.0.1", spec };
}

// The members above are in canonical order.
function stored(kind: LogProposal["kind"], spec: LogProposal["spec"]): Buffer {
  return Buffer.from(JSON.stringify({ apiVersion: "0.0.1", kind, spec }), "utf8");
}

function sha256(bytes: Uint8Array): { readonly algorithm: "sha256"; readonly value: string } {
  return { algorithm: "sha256", value: sha256Hex(bytes) };
}

function base64(bytes: Uint8Array | string): string {
  return Buffer.from(bytes).toString("base64");
}

function utf8(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("utf8");
}

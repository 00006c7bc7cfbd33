import type { DsseEnvelope } from "../payload/dsse";
import { sha256Hex } from "../payload/digest-of";

/** What is posted to the log. */
export interface LogProposal {
  readonly kind: "hashedrekord" | "intoto" | "dsse";
  readonly apiVersion: "0.0.1";
  readonly spec: Readonly<Record<string, unknown>>;
}

/** A signature over bytes of which the log learns the hash alone. */
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

/** @param envelope exactly the bytes that become the layer. */
export function proposeIntoto(envelope: Uint8Array, publicKeyPem: string): LogProposal {
  return proposal("intoto", {
    content: { envelope: utf8(envelope) },
    publicKey: base64(publicKeyPem),
  });
}

/** @param envelope exactly the bytes that become the layer. */
export function proposeDsse(envelope: Uint8Array, publicKeyPem: string): LogProposal {
  return proposal("dsse", {
    proposedContent: { envelope: utf8(envelope), verifiers: [base64(publicKeyPem)] },
  });
}

/** What the log keeps of a proposal: canonical JSON, names sorted. */
export function storedHashedRekord(
  payload: Uint8Array,
  signature: Uint8Array,
  publicKeyPem: string,
): Buffer {
  const { spec } = proposeHashedRekord(payload, signature, publicKeyPem);
  return stored("hashedrekord", spec);
}

/** As above; `envelope` are the bytes that were posted, `payload` is what is inside of them. */
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

/** As above. */
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

/** The names above are written in their canonical order. */
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

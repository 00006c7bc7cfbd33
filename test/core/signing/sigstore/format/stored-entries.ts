import { proposeHashedRekord } from "../../../../../src/core/signing/sigstore/format/log-entry";
import { sha256Hex } from "../../../../../src/core/signing/oci/reference/descriptor";
import type { DsseEnvelope } from "../../../../../src/core/signing/sigstore/format/statement";

/** The `hashedrekord` entry as the log stores it: canonical JSON (RFC 8785). */
export function storedHashedRekord(
  payload: Uint8Array,
  signature: Uint8Array,
  publicKeyPem: string,
): Buffer {
  return stored("hashedrekord", proposeHashedRekord(payload, signature, publicKeyPem).spec);
}

/** The `intoto` entry as the log stores it. */
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

/** The `dsse` entry as the log stores it. */
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

// The members above are in canonical order.
function stored(kind: string, spec: object): Buffer {
  return Buffer.from(JSON.stringify({ apiVersion: "0.0.1", kind, spec }), "utf8");
}

const sha256 = (bytes: Uint8Array) => ({ algorithm: "sha256", value: sha256Hex(bytes) });
const base64 = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString("base64");

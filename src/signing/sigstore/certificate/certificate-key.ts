import { createPublicKey, type KeyObject } from "node:crypto";
import { DerError } from "../der/der-error";

// A process meets few authorities and signers.
const maxKnown = 64;
const known = new Map<string, KeyObject>();

/**
 * The key of a SubjectPublicKeyInfo. Reading one takes longer than verifying with it, and all signatures
 * of a signer have the same: those that were read last are remembered by their bytes.
 *
 * @throws DerError
 */
export function certificateKey(der: Buffer): KeyObject {
  const name = der.toString("latin1");
  const key = known.get(name) ?? readKey(der);
  known.delete(name);
  known.set(name, key);
  const [oldest] = known.keys();
  if (known.size > maxKnown && oldest !== undefined) known.delete(oldest);
  return key;
}

function readKey(der: Buffer): KeyObject {
  let key: KeyObject;
  try {
    key = createPublicKey({ key: der, format: "der", type: "spki" });
  } catch {
    throw new DerError("UNSUPPORTED", "the certificate's public key is not understood");
  }
  // Points of curves have other forms, too: what is understood must be what is written.
  if (!key.export({ format: "der", type: "spki" }).equals(der)) {
    throw new DerError("NOT_CANONICAL", "the certificate's public key is in an unusual form");
  }
  return key;
}

import { createPublicKey, type KeyObject } from "node:crypto";
import { DerError } from "../der/der-error";
import { isCanonicalKey, isSupportedKey, supportedKeys } from "./key-limits";

// A process verifies certificates of few authorities and signers.
const maxKnown = 64;
const known = new Map<string, KeyObject>();

/**
 * Reads the key of a SubjectPublicKeyInfo. Recent keys are cached, because reading one takes longer than
 * verifying with it.
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
  if (!isSupportedKey(der)) {
    throw new DerError(
      "UNSUPPORTED",
      `the certificate's public key is not supported (supported: ${supportedKeys})`,
    );
  }
  let key: KeyObject;
  try {
    key = createPublicKey({ key: der, format: "der", type: "spki" });
  } catch {
    throw new DerError("UNSUPPORTED", "the certificate's public key is not supported");
  }
  if (!isCanonicalKey(key, der)) {
    throw new DerError(
      "NOT_CANONICAL",
      "the certificate's public key has a non-canonical encoding",
    );
  }
  return key;
}

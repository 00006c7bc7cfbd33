import { createPublicKey, type KeyObject } from "node:crypto";
import { fromPem } from "../der/pem";

/** A public key that is invalid or not supported. The message is the predicate of a sentence. */
export class PublicKeyError extends Error {
  override readonly name = "PublicKeyError";
}

/**
 * Reads a public key (ECDSA, Ed25519, or RSA with at least 2048 bits) from PEM that contains only this key.
 *
 * @throws PublicKeyError
 */
export function readPublicKey(pem: string): KeyObject {
  const [key, ...others] = publicKeysOf(pem);
  if (key !== undefined && others.length === 0) return key;
  throw new PublicKeyError(
    "must contain exactly one public key in PEM (-----BEGIN PUBLIC KEY-----)",
  );
}

/**
 * Reads all public keys in PEM.
 *
 * @throws PublicKeyError
 */
export function publicKeysOf(pem: string): readonly KeyObject[] {
  try {
    return [
      ...fromPem("PUBLIC KEY", pem).map((der) => readKey(der, "spki")),
      ...fromPem("RSA PUBLIC KEY", pem).map((der) => readKey(der, "pkcs1")),
    ];
  } catch (error) {
    if (error instanceof PublicKeyError) throw error;
    throw new PublicKeyError("contains a public key that cannot be read");
  }
}

/**
 * Reads a public key from DER.
 *
 * @throws PublicKeyError
 */
export function readKey(der: Buffer, type: "spki" | "pkcs1"): KeyObject {
  const key = keyOf(der, type);
  const { asymmetricKeyType: algorithm, asymmetricKeyDetails: details } = key;
  if (algorithm === "ec" || algorithm === "ed25519") return key;
  if (algorithm === "rsa" && (details?.modulusLength ?? 0) >= 2048) return key;
  throw new PublicKeyError("must be a key for ECDSA, Ed25519 or RSA with at least 2048 bits");
}

function keyOf(der: Buffer, type: "spki" | "pkcs1"): KeyObject {
  let key: KeyObject;
  try {
    key = createPublicKey({ key: der, format: "der", type });
  } catch {
    throw new PublicKeyError("is not a public key");
  }
  // Each key has only one accepted encoding, although points on curves have several.
  if (type === "spki" && !key.export({ format: "der", type }).equals(der)) {
    throw new PublicKeyError("is a public key with a non-canonical encoding");
  }
  return key;
}

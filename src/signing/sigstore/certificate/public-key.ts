import { createPublicKey, type KeyObject } from "node:crypto";
import { DerError } from "../der/der-error";
import { fromPem } from "../der/pem";
import { derBitString, derNull, derObjectIdentifier, derSequence } from "../der/write-der";
import { isCanonicalKey, isSupportedKey, supportedKeys } from "./key-limits";

/** A public key that is invalid or not supported. The message is the predicate of a sentence. */
export class PublicKeyError extends Error {
  override readonly name = "PublicKeyError";
}

/**
 * Reads a public key of a supported type and size from PEM that contains only this key.
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
  const spki = type === "spki" ? der : rsaKeyInfo(der);
  if (!isSupported(spki)) throw new PublicKeyError(`must be a key for ${supportedKeys}`);
  let key: KeyObject;
  try {
    key = createPublicKey({ key: spki, format: "der", type: "spki" });
  } catch {
    throw new PublicKeyError("is not a public key");
  }
  if (type === "spki" && !isCanonicalKey(key, der)) {
    throw new PublicKeyError("is a public key with a non-canonical encoding");
  }
  return key;
}

function isSupported(spki: Buffer): boolean {
  try {
    return isSupportedKey(spki);
  } catch (error) {
    if (error instanceof DerError) throw new PublicKeyError("is not a public key");
    throw error;
  }
}

/** The SubjectPublicKeyInfo of an RSAPublicKey. */
function rsaKeyInfo(der: Buffer): Buffer {
  const algorithm = derSequence(derObjectIdentifier("1.2.840.113549.1.1.1"), derNull());
  return derSequence(algorithm, derBitString(der));
}

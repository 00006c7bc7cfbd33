import { createPublicKey, type KeyObject } from "node:crypto";
import { DerElement } from "../der/der-element";
import { DerError } from "../der/der-error";
import { DerTag } from "../der/der-tag";
import { readBitString, readInteger, readObjectIdentifier } from "../der/read-value";

const algorithm = {
  rsa: "1.2.840.113549.1.1.1",
  ec: "1.2.840.10045.2.1",
  ed25519: "1.3.101.112",
} as const;

/** P-256, P-384 and P-521. */
const curves: readonly string[] = ["1.2.840.10045.3.1.7", "1.3.132.0.34", "1.3.132.0.35"];

const rsa = { minBits: 2048, maxBits: 8192, maxExponent: 2n ** 32n } as const;

/** The supported keys, for messages. */
export const supportedKeys = `ECDSA with P-256, P-384 or P-521, Ed25519, or RSA with ${rsa.minBits} to ${rsa.maxBits} bits`;

/**
 * Whether a SubjectPublicKeyInfo has a type and a size that we verify with.
 *
 * It is checked before OpenSSL reads the key: an exponent of thousands of bits, or a curve of the
 * sender's making, would make each signature check as slow as the sender likes.
 *
 * @throws DerError if the bytes are not a SubjectPublicKeyInfo
 */
export function isSupportedKey(spki: Uint8Array): boolean {
  const [identifier, key] = DerElement.read(spki).sequence();
  const [name, parameters] = identifier?.sequence() ?? [];
  if (name === undefined || key === undefined) {
    throw new DerError("TRUNCATED", "a public key lacks required fields");
  }
  switch (readObjectIdentifier(name)) {
    case algorithm.ed25519:
      return true;
    case algorithm.ec:
      // Only named curves: the parameters are an object identifier.
      return (
        parameters?.tag === DerTag.objectIdentifier &&
        curves.includes(readObjectIdentifier(parameters))
      );
    case algorithm.rsa:
      return isSupportedRsaKey(readBitString(key));
    default:
      return false;
  }
}

/**
 * Whether a key has the only accepted encoding. Points on curves have several, of which OpenSSL also reads the
 * compressed and the hybrid one, and keeps it when it exports the key.
 */
export function isCanonicalKey(key: KeyObject, spki: Buffer): boolean {
  const jwk = key.export({ format: "jwk" });
  const plain = createPublicKey({ key: jwk, format: "jwk" });
  return plain.export({ format: "der", type: "spki" }).equals(spki);
}

function isSupportedRsaKey(der: Buffer): boolean {
  const [modulus, exponent] = DerElement.read(der).sequence();
  if (modulus === undefined || exponent === undefined) return false;
  // Counted in octets first: the value of a huge number takes long to compute.
  if (modulus.content.byteLength > rsa.maxBits / 8 + 1) return false;
  if (exponent.content.byteLength > 5) return false;
  const bits = readInteger(modulus).toString(2).length;
  const e = readInteger(exponent);
  return bits >= rsa.minBits && bits <= rsa.maxBits && e > 1n && e <= rsa.maxExponent;
}

import { failures } from "../../../failure/failure";
import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";
import { DerElement, DerTag, fromPem, derError } from "../der/der-element";
import { readBitString, readInteger, readObjectIdentifier } from "../der/read-value";
import { derBitString, derNull, derObjectIdentifier, derSequence } from "../der/write-der";

/** A public key that is invalid or not supported. The message is the predicate of a sentence. */
export const [publicKeyError, isPublicKeyError] = failures<"PUBLIC_KEY">("PublicKeyError");

/** Reads a public key of a supported type and size from PEM that contains only this key. @throws PublicKeyError */
export function readPublicKey(pem: string): KeyObject {
  const [key, ...others] = publicKeysOf(pem);
  if (key !== undefined && others.length === 0) return key;
  throw publicKeyError(
    "PUBLIC_KEY",
    "must contain exactly one public key in PEM (-----BEGIN PUBLIC KEY-----)",
  );
}

/** Reads all public keys in PEM. @throws PublicKeyError */
export function publicKeysOf(pem: string): readonly KeyObject[] {
  try {
    return [
      ...fromPem("PUBLIC KEY", pem).map((der) => readKey(der, "spki")),
      ...fromPem("RSA PUBLIC KEY", pem).map((der) => readKey(der, "pkcs1")),
    ];
  } catch (error) {
    if (isPublicKeyError(error)) throw error;
    throw publicKeyError("PUBLIC_KEY", "contains a public key that cannot be read");
  }
}

/** Reads a public key from DER: a SubjectPublicKeyInfo, or an RSAPublicKey (PKCS #1). @throws PublicKeyError */
export function readKey(der: Buffer, type: "spki" | "pkcs1"): KeyObject {
  const spki = type === "spki" ? der : derSequence(rsaIdentifier, derBitString(der));
  let key: KeyObject;
  try {
    if (!isSupported(spki))
      throw publicKeyError("PUBLIC_KEY", `is not supported (${supportedKeys})`);
    key = createPublicKey({ key: spki, format: "der", type: "spki" });
  } catch (error) {
    if (isPublicKeyError(error)) throw error;
    throw publicKeyError("PUBLIC_KEY", "is not a valid public key");
  }
  if (type === "spki" && !isCanonical(key, spki)) {
    throw publicKeyError("PUBLIC_KEY", "has a non-canonical encoding");
  }
  return key;
}

// A process verifies certificates of few authorities and signers.
const maxKnown = 64;
const known = new Map<string, KeyObject>();

/** Reads the key in a certificate. Recent keys are cached, because reading one takes longer than verifying with it. */
export function certificateKey(spki: Buffer): KeyObject {
  const name = spki.toString("latin1");
  const key = known.get(name) ?? readCertificateKey(spki);
  known.delete(name);
  known.set(name, key);
  const [oldest] = known.keys();
  if (known.size > maxKnown && oldest !== undefined) known.delete(oldest);
  return key;
}

function readCertificateKey(spki: Buffer): KeyObject {
  try {
    return readKey(spki, "spki");
  } catch (error) {
    if (!isPublicKeyError(error)) throw error;
    throw derError("UNSUPPORTED", `the certificate's public key ${error.message}`);
  }
}

const algorithm = {
  rsa: "1.2.840.113549.1.1.1",
  ec: "1.2.840.10045.2.1",
  ed25519: "1.3.101.112",
} as const;

const rsaIdentifier = derSequence(derObjectIdentifier(algorithm.rsa), derNull());

/** P-256, P-384 and P-521. */
const curves: readonly string[] = ["1.2.840.10045.3.1.7", "1.3.132.0.34", "1.3.132.0.35"];

const rsa = { minBits: 2048, maxBits: 8192, maxExponent: 2n ** 32n } as const;

const supportedKeys = `supported: ECDSA with P-256, P-384 or P-521, Ed25519, or RSA with ${rsa.minBits} to ${rsa.maxBits} bits`;

/**
 * Checks the type and the size of a key before OpenSSL reads it: with an exponent of thousands of bits, or a curve of their
 * own, senders could make each signature check as slow as they like.
 */
function isSupported(spki: Uint8Array): boolean {
  const [identifier, key] = DerElement.read(spki).sequence();
  const [name, parameters] = identifier?.sequence() ?? [];
  if (name === undefined || key === undefined) {
    throw derError("TRUNCATED", "a public key lacks required fields");
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

/**
 * Checks that a key has the one accepted encoding. OpenSSL also reads the compressed and the hybrid encodings of points on
 * curves, and keeps them when it exports the key.
 */
function isCanonical(key: KeyObject, spki: Buffer): boolean {
  const jwk = key.export({ format: "jwk" });
  return spkiOf(createPublicKey({ key: jwk, format: "jwk" })).equals(spki);
}

export function spkiOf(key: KeyObject): Buffer {
  return key.export({ format: "der", type: "spki" });
}

/** The SHA-256 of a SubjectPublicKeyInfo, which identifies keys in logs and policies. */
export function keyIdOf(key: KeyObject): Buffer {
  return createHash("sha256").update(spkiOf(key)).digest();
}

/** Signature algorithms by their object identifiers: the hash, and the type of the key. */
const signatureAlgorithms: Readonly<
  Record<string, { readonly hash: string | null; readonly key: string } | undefined>
> = {
  "1.2.840.10045.4.3.2": { hash: "sha256", key: "ec" },
  "1.2.840.10045.4.3.3": { hash: "sha384", key: "ec" },
  "1.2.840.10045.4.3.4": { hash: "sha512", key: "ec" },
  "1.2.840.113549.1.1.11": { hash: "sha256", key: "rsa" },
  "1.2.840.113549.1.1.12": { hash: "sha384", key: "rsa" },
  "1.2.840.113549.1.1.13": { hash: "sha512", key: "rsa" },
  [algorithm.ed25519]: { hash: null, key: "ed25519" },
};

/**
 * Checks a signature over bytes. An unknown algorithm, or one for another type of key, is never valid.
 *
 * @param name object identifier of the signature algorithm
 */
export function isSignedBy(
  key: KeyObject,
  name: string,
  bytes: Uint8Array,
  signature: Uint8Array,
): boolean {
  const found = signatureAlgorithms[name];
  if (found === undefined || found.key !== key.asymmetricKeyType) return false;
  return verifies(key, found.hash, bytes, signature);
}

/** Checks a signature. One that cannot be read is not valid. */
export function verifies(
  key: KeyObject,
  hash: string | null,
  bytes: Uint8Array,
  signature: Uint8Array,
): boolean {
  try {
    return verify(hash, bytes, key, signature);
  } catch {
    return false;
  }
}

/** The hash that by convention belongs to a key; null if the signature algorithm has its own. */
export function hashOf(key: KeyObject): string | null {
  if (key.asymmetricKeyType === "ed25519") return null;
  switch (key.asymmetricKeyDetails?.namedCurve) {
    case "secp384r1":
      return "sha384";
    case "secp521r1":
      return "sha512";
    default:
      return "sha256";
  }
}

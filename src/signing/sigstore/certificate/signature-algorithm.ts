import { verify, type KeyObject } from "node:crypto";

/** Signature algorithms by their object identifiers: the hash, and the type of the key. */
const algorithms: Readonly<
  Record<string, { readonly hash: string | null; readonly key: string } | undefined>
> = {
  "1.2.840.10045.4.3.2": { hash: "sha256", key: "ec" },
  "1.2.840.10045.4.3.3": { hash: "sha384", key: "ec" },
  "1.2.840.10045.4.3.4": { hash: "sha512", key: "ec" },
  "1.2.840.113549.1.1.11": { hash: "sha256", key: "rsa" },
  "1.2.840.113549.1.1.12": { hash: "sha384", key: "rsa" },
  "1.2.840.113549.1.1.13": { hash: "sha512", key: "rsa" },
  "1.3.101.112": { hash: null, key: "ed25519" },
};

/**
 * Whether a signature over bytes is valid for a key; false for unknown algorithms.
 *
 * @param algorithm object identifier of the signature algorithm
 */
export function isSignedBy(
  key: KeyObject,
  algorithm: string,
  bytes: Uint8Array,
  signature: Uint8Array,
): boolean {
  const known = algorithms[algorithm];
  if (known === undefined || known.key !== key.asymmetricKeyType) return false;
  return verifies(key, known.hash, bytes, signature);
}

/** Whether a signature is valid; false also for a malformed signature. */
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

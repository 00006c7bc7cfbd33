import { verify, type KeyObject } from "node:crypto";

/** How certificates, CMS and logs name a signature algorithm: the hash, and the type of key. */
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

/** Whether the signature over the bytes is this key's; false for algorithms that are not understood. */
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

/** `verify` that answers false for signatures that cannot even be read. */
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

/** The hash that goes with a key of a log or a signer by convention; null when the key has its own. */
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

import { createPublicKey, verify, type KeyObject } from "node:crypto";
import { HttpFailure } from "../../../local-service/http-failure";

/**
 * Reads the public key to certify, in PEM or DER (SubjectPublicKeyInfo).
 *
 * @throws HttpFailure (400)
 */
export function readPublicKey(content: Buffer): KeyObject {
  try {
    return content.subarray(0, 10).toString("latin1") === "-----BEGIN"
      ? createPublicKey(content)
      : createPublicKey({ key: content, format: "der", type: "spki" });
  } catch {
    throw new HttpFailure(400, "the public key is neither PEM nor DER of a public key");
  }
}

const digests: Readonly<Record<string, string>> = {
  prime256v1: "sha256",
  secp384r1: "sha384",
  secp521r1: "sha512",
};

/**
 * Verifies that the client has the private key, with which it signed its own name.
 *
 * @throws HttpFailure (400)
 */
export function checkPossession(key: KeyObject, name: string, signature: Buffer): void {
  const type = key.asymmetricKeyType;
  const { namedCurve = "" } = key.asymmetricKeyDetails ?? {};
  // Older clients sign with SHA-256 for all curves.
  const candidates = type === "ed25519" ? [null] : ["sha256", digests[namedCurve] ?? "sha256"];
  const isPossessed = candidates.some((digest) => {
    try {
      return verify(digest, Buffer.from(name), key, signature);
    } catch {
      return false;
    }
  });
  if (!isPossessed) {
    throw new HttpFailure(400, "the proof of possession is not the name signed with the key");
  }
}

import { type Failure, failures } from "../../../failure/failure";
import { createHash, createPublicKey, type JsonWebKey, type KeyObject, sign } from "node:crypto";
import type { CallContext } from "../../../http/call-context";
import { hashOf, verifies, readKey, spkiOf, isPublicKeyError } from "../certificate/public-key";
import type { SignerHash } from "../verification/verification";

/**
 * `KEY` (the reference or the key is invalid or not supported), `KEY_PASSWORD` (the password is missing or wrong),
 * `KEY_SERVICE` (the key-management service refused, or sent an unexpected response).
 */
type KeyErrorCode = "KEY" | "KEY_PASSWORD" | "KEY_SERVICE";

/** A key cannot be used. The message contains neither keys nor passwords. */
export type KeyError = Failure<KeyErrorCode>;
export const [keyError, isKeyError] = failures<KeyErrorCode>("KeyError");

/** Signs with a private key, which may be in a key-management service. */
export interface KeySigner {
  readonly publicKey: KeyObject;
  /** The hash of its signatures. Ed25519 ignores it, because it has its own. */
  readonly hash: SignerHash;
  /** Signs bytes, and checks the signature with the public key. @throws KeyError */
  sign(bytes: Uint8Array, context: CallContext): Promise<Buffer>;
}

/**
 * Signs with a private key in memory. Other tools verify signatures of key files with SHA-256, whatever the
 * curve.
 *
 * @throws KeyError if the key is not for ECDSA, Ed25519, or RSA with at least 2048 bits
 */
export function localKeySigner(privateKey: KeyObject): KeySigner {
  const publicKey = checkedPublicKey(spkiOf(createPublicKey(privateKey)), "the key");
  const hash = "sha256";
  const algorithm = publicKey.asymmetricKeyType === "ed25519" ? null : hash;
  return {
    publicKey,
    hash,
    sign: (bytes) => Promise.resolve(sign(algorithm, bytes, privateKey)),
  };
}

export interface RemoteKey {
  /** The service's name in messages, such as `AWS KMS`. */
  readonly service: string;
  readonly publicKey: KeyObject;
  /** The hash of its signatures. @default that of the key's curve */
  readonly hash?: SignerHash;
  /** Returns a signature over a digest; for ECDSA in DER. */
  signDigest(digest: Buffer, hash: SignerHash, context: CallContext): Promise<Buffer>;
  /** Returns a signature of Ed25519 over content. @default such keys are refused */
  signContent?(content: Uint8Array, context: CallContext): Promise<Buffer>;
}

/**
 * Signs with a key in a key-management service. Only the digest leaves this machine (with Ed25519, the content does),
 * and the service's signature is checked before it is used.
 *
 * @throws KeyError if the key is for Ed25519, and the service signs only digests
 */
export function remoteKeySigner(key: RemoteKey): KeySigner {
  const { service, publicKey } = key;
  const isEd25519 = publicKey.asymmetricKeyType === "ed25519";
  if (isEd25519 && key.signContent === undefined) {
    throw keyError("KEY", `${service}: Ed25519 keys are not supported. Use an ECDSA P-256 key`);
  }
  const hash = key.hash ?? remoteHash(publicKey);
  const signatureOf = async (bytes: Uint8Array, context: CallContext): Promise<Buffer> => {
    if (isEd25519 && key.signContent !== undefined) return key.signContent(bytes, context);
    return key.signDigest(createHash(hash).update(bytes).digest(), hash, context);
  };
  return {
    publicKey,
    hash,
    async sign(bytes, context) {
      const signature = await signatureOf(bytes, context);
      if (verifies(publicKey, isEd25519 ? null : hash, bytes, signature)) return signature;
      throw keyError(
        "KEY_SERVICE",
        `${service} returned a signature that does not match its own public key`,
      );
    },
  };
}

// Most services allow exactly the hash that belongs to the curve.
function remoteHash(publicKey: KeyObject): SignerHash {
  const hash = hashOf(publicKey);
  return hash === "sha384" || hash === "sha512" ? hash : "sha256";
}

/**
 * Reads and checks the public key of a key in a service, from PEM or a JSON Web Key.
 *
 * @param whose the subject of messages
 * @param unreadable returns the error for a key that cannot be read
 */
export function publicKeyOf(
  key: string | { readonly key: JsonWebKey; readonly format: "jwk" },
  whose: string,
  unreadable: (cause: unknown) => KeyError,
): KeyObject {
  let spki: Buffer;
  try {
    spki = spkiOf(createPublicKey(key));
  } catch (error) {
    throw unreadable(error);
  }
  return checkedPublicKey(spki, whose);
}

/**
 * Reads and checks the public key of a signer.
 *
 * @param whose the subject of the message
 */
export function checkedPublicKey(spki: Buffer, whose: string): KeyObject {
  try {
    return readKey(spki, "spki");
  } catch (error) {
    if (isPublicKeyError(error)) throw keyError("KEY", `${whose} ${error.message}`);
    throw error;
  }
}

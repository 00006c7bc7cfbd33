import { createHash, type KeyObject } from "node:crypto";
import { FormatError } from "../payload/format-error";

/** A signature to log in Rekor v2, with the certificate or key that verifies it. */
export interface RekorV2Proposal {
  /** The signed bytes: of a DSSE envelope, its pre-authentication encoding. The log receives only their hash. */
  readonly bytes: Uint8Array;
  /** The signature over the bytes with SHA-256. */
  readonly signature: Uint8Array;
  /** In DER. */
  readonly verifier: { readonly certificate: Uint8Array } | { readonly publicKey: Uint8Array };
  /** The signer's public key. */
  readonly key: KeyObject;
}

/**
 * The request that logs a signature in Rekor v2, which has only one kind of entry for all signatures.
 *
 * @throws FormatError if the log does not accept such a key with SHA-256
 * @see https://github.com/sigstore/rekor-tiles/blob/main/CLIENTS.md
 */
export function proposeRekorV2({ bytes, signature, verifier, key }: RekorV2Proposal): object {
  return {
    hashedRekordRequestV002: {
      digest: base64(createHash("sha256").update(bytes).digest()),
      signature: {
        content: base64(signature),
        verifier: {
          ...("certificate" in verifier
            ? { x509Certificate: { rawBytes: base64(verifier.certificate) } }
            : { publicKey: { rawBytes: base64(verifier.publicKey) } }),
          keyDetails: keyDetailsOf(key),
        },
      },
    },
  };
}

/**
 * Checks that Rekor v2 accepts a key.
 *
 * @throws FormatError
 */
export function checkRekorV2Key(key: KeyObject): void {
  keyDetailsOf(key);
}

const rsaSizes: readonly (number | undefined)[] = [2048, 3072, 4096];

/** @see https://github.com/sigstore/protobuf-specs/blob/main/protos/sigstore_common.proto */
function keyDetailsOf({ asymmetricKeyType, asymmetricKeyDetails: details }: KeyObject): string {
  if (details?.namedCurve === "prime256v1") return "PKIX_ECDSA_P256_SHA_256";
  const size = details?.modulusLength;
  if (asymmetricKeyType === "rsa" && rsaSizes.includes(size)) {
    return `PKIX_RSA_PKCS1V15_${size}_SHA256`;
  }
  throw new FormatError(
    "Rekor v2 accepts only keys for ECDSA P-256, or RSA with 2048, 3072 or 4096 bits",
  );
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

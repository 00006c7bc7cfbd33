import type { KeyObject } from "node:crypto";
import type { Digest } from "../oci/reference/descriptor";
import { readPublicKey, isPublicKeyError } from "../sigstore/certificate/public-key";
import { noTrust } from "../sigstore/trust/trusted-root";
import type {
  Verification,
  VerificationProblem,
  VerifiedAttestation,
} from "../sigstore/verification/verification";
import { verifyBundle } from "../sigstore/verification/verify-attached";

/**
 * Verifies that a bundle is an attestation of a file, signed with a key. Neither a log nor a timestamp is
 * required, so nothing is fetched.
 *
 * @param bundle a Sigstore bundle
 * @param publicKeyPem the key of the signer, from a source that the user trusts
 * @returns also as a problem that there is not exactly one supported key in the PEM
 */
export function verifyFile(
  bundle: Uint8Array,
  file: Digest,
  publicKeyPem: string,
): Verification<VerifiedAttestation> {
  const publicKey = keyIn(publicKeyPem);
  if ("problem" in publicKey) return publicKey;
  return verifyBundle(bundle, file, "attestation", {
    trust: noTrust,
    signer: { key: { publicKey } },
    time: "none",
  });
}

function keyIn(pem: string): KeyObject | VerificationProblem {
  try {
    return readPublicKey(pem);
  } catch (error) {
    if (!isPublicKeyError(error)) throw error;
    return { code: "NO_TRUST", problem: `the key ${error.message}` };
  }
}

import { anyIdentity } from "../image/verify-attached";
import { Certificate } from "../sigstore/certificate/certificate";
import { PublicKeyError, readPublicKey, verifies } from "../sigstore/certificate/public-key";
import { readLogBody } from "../sigstore/format/log-body";
import type { TrustMaterial } from "../sigstore/trust/trust-material";
import type { SignedContent } from "../sigstore/verification/signed-content";
import {
  attempt,
  type SignerKey,
  type VerificationRules,
} from "../sigstore/verification/verification";

/**
 * The rules by which something is verified whoever has signed it: with a certificate of a trusted authority, or with the key
 * that the log entry names. The time must be proven by whatever evidence there is.
 *
 * @returns a reason without a full stop if nothing can be verified
 */
export function anyone(
  content: SignedContent,
  trust: TrustMaterial | undefined,
): VerificationRules | { readonly reason: string } {
  if (trust === undefined) return { reason: "the trusted root could not be loaded" };
  const isOnlyStamped = content.logEntry === undefined && content.timestamps.length > 0;
  const time = isOnlyStamped ? "timestamp" : "log";
  if (content.certificate !== undefined) {
    const root = instanceOf(content.certificate, trust);
    // An instance without a certificate transparency log has no promises of one.
    const certificateLog = root.certificateLogs.length > 0 ? "required" : "ignored";
    const signer = { identities: [anyIdentity], certificateLog } as const;
    return { trust: root, time, signer };
  }
  const key = loggedKey(content);
  if (key !== undefined) return { trust, time, signer: { key } };
  return { reason: "signed with a key that it does not contain; a policy can name the key" };
}

/** Of several trusted roots, the one with the certificate's issuer. The verification checks that it is. */
function instanceOf(der: Buffer, trust: TrustMaterial): TrustMaterial {
  const leaf = attempt(() => new Certificate(der));
  if ("problem" in leaf) return trust;
  const listed = trust.certificateAuthorities.find(({ anchors, intermediates }) =>
    [...anchors, ...intermediates].some(({ subject }) => subject.equals(leaf.issuer)),
  );
  return listed?.root ?? trust;
}

const hashes = ["sha256", "sha384", "sha512"] as const;

/** The public key in the log entry. Whether it fits the signature is verified. */
function loggedKey({ logEntry, bytes, signature }: SignedContent): SignerKey | undefined {
  if (logEntry === undefined) return undefined;
  const entry = attempt(() => readLogBody(logEntry.body));
  if ("problem" in entry) return undefined;
  try {
    const publicKey = readPublicKey(entry.verifierPem);
    // Tools differ in the hash that they use with larger curves.
    const hash = hashes.find((each) => verifies(publicKey, each, bytes, signature));
    return { publicKey, hash };
  } catch (error) {
    if (error instanceof PublicKeyError) return undefined;
    throw error;
  }
}

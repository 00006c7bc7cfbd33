import { createHash, type KeyObject, sign } from "node:crypto";
import type { CallContext } from "../../http/call-context";
import { Certificate } from "../sigstore/certificate/certificate";
import { identityOf } from "../sigstore/certificate/extensions";
import type { Signer } from "../sigstore/service/request-certificate";
import type { Bundle } from "../sigstore/format/bundle";
import type { SigningEvidence } from "../sigstore/format/legacy-layer";
import { fromPem, toPem } from "../sigstore/der/pem";
import { type KeySigner, KeyError } from "../sigstore/key/key-signer";
import { sha256Hex } from "../oci/reference/digest-of";
import {
  type ExpectedSigner,
  type VerifiedSigner,
  VerificationError,
  within,
} from "../sigstore/verification/verification";
import type { TrustMaterial } from "../sigstore/trust/trust-material";
import { checkPresentedCount } from "../sigstore/verification/certificate-chain";
import {
  checkSignerUsage,
  checkTrustedCertificate,
} from "../sigstore/verification/signer-certificate";
import { SigningError } from "./signing-error";
import type { SigningServices } from "../provider/signing-services";
import type { LogEntryKind } from "../sigstore/format/log-entry";
import { rekorV2KeyProblem } from "../sigstore/format/log-proposal";

/** Who signs in a run: an identity with a certificate, or a key alone. */
export interface RunSigner {
  readonly publicKey: KeyObject;
  /** What verifies the signatures, in DER. */
  readonly verifier: { readonly certificate: Buffer } | { readonly publicKey: Buffer };
  /** The verifier in PEM, as log entries of version 1 contain it. */
  readonly verifierPem: string;
  /** The certificates above ours, the nearest first; none for a key. */
  readonly chainPem: readonly string[];
  /** Accepts only this signer. */
  readonly expected: ExpectedSigner;
  /**
   * Signs bytes.
   *
   * @throws KeyError
   */
  sign(bytes: Uint8Array, context: CallContext): Promise<Buffer>;
  /** Whether a verified signature is by this signer. */
  isSignerOf(verified: VerifiedSigner): boolean;
}

/** Signs with the key of a certificate. */
export function certificateSigner(
  { leaf, leafPem, chainPem, privateKey }: Signer,
  certificateLog: "required" | "ignored" | undefined,
): RunSigner {
  // A certificate with no subject or several subjects is rejected later, when its signature is verified.
  const { subjects, issuer = "" } = identityOf(leaf);
  const [subject = ""] = subjects;
  return {
    publicKey: leaf.publicKey,
    verifier: { certificate: leaf.der },
    verifierPem: leafPem,
    chainPem,
    expected: {
      identities: [{ subject: { equals: subject }, issuer: { equals: issuer } }],
      certificateLog,
    },
    sign: (bytes) => Promise.resolve(sign("sha256", bytes, privateKey)),
    isSignerOf: (verified) =>
      verified.kind === "identity" &&
      verified.otherSubjects.length === 0 &&
      verified.subject === subject &&
      verified.issuer === issuer,
  };
}

/** Signs with a key that has no certificate. */
export function keyOnlySigner(key: KeySigner): RunSigner {
  const { publicKey, hash } = key;
  const der = publicKey.export({ format: "der", type: "spki" });
  const keyId = sha256Hex(der);
  return {
    publicKey,
    verifier: { publicKey: der },
    verifierPem: toPem("PUBLIC KEY", der),
    chainPem: [],
    expected: { key: { publicKey, hash } },
    sign: (bytes, context) => key.sign(bytes, context),
    isSignerOf: (verified) => verified.kind === "key" && verified.keyId === keyId,
  };
}

/** The certificates in the annotations of a layer; none for a key. */
export function certificatesOf({
  verifier,
  verifierPem,
  chainPem,
}: RunSigner): Pick<SigningEvidence, "certificatePem" | "chainPem"> {
  return {
    certificatePem: "certificate" in verifier ? verifierPem : undefined,
    chainPem: chainPem.length === 0 ? undefined : chainPem.join(""),
  };
}

/** The certificate or the hint for the key in a bundle. cosign's hint is the SHA-256 of the public key. */
export function bundleSigner({ verifier }: RunSigner): Bundle["signer"] {
  if ("certificate" in verifier) return verifier;
  return { keyHint: createHash("sha256").update(verifier.publicKey).digest("base64") };
}

/**
 * Verifies our certificate with its chain and its SCT, before it is used: an entry in the transparency log
 * cannot be removed, so nothing is logged with a certificate that nobody would accept.
 *
 * @throws SigningError `UNVERIFIED`
 */
export function checkSigner(
  { leaf, chainPem }: Signer,
  trust: TrustMaterial,
  { now, certificateLog = "required" }: Pick<SigningServices, "now" | "certificateLog">,
): void {
  try {
    within("CERTIFICATE", () => {
      const ders = chainPem.flatMap((pem) => fromPem("CERTIFICATE", pem));
      checkPresentedCount(ders.length, "signature");
      const presented = ders.map((der) => new Certificate(der));
      checkSignerUsage(leaf);
      const times = [validTime(leaf, now())];
      checkTrustedCertificate({ leaf, presented, trust, certificateLog, times });
    });
  } catch (error) {
    if (!(error instanceof VerificationError)) throw error;
    throw new SigningError(
      "UNVERIFIED",
      "the certificate from the certificate authority does not verify, so nothing was written, not even to the log: " +
        error.message,
      error,
    );
  }
}

/** Now, or the nearest time at which the certificate is valid: the authority's clock may differ from ours. */
function validTime({ notBefore, notAfter }: Certificate, now: Date): Date {
  if (now < notBefore) return notBefore;
  return now > notAfter ? notAfter : now;
}

/**
 * Checks that the log can verify the signatures of our key, before anything is sent anywhere.
 *
 * @throws KeyError
 */
export function checkLoggable({ publicKey, expected }: RunSigner, kind: LogEntryKind): void {
  if (!("key" in expected)) return;
  const problem = problemOf(publicKey.asymmetricKeyType, expected.key.hash, kind);
  const rekorV2Problem = kind === "hashedrekord/0.0.2" ? rekorV2ProblemOf(publicKey) : undefined;
  const found = problem ?? rekorV2Problem;
  if (found !== undefined) throw new KeyError("KEY", found);
}

const fix = "Use an ECDSA P-256 key, or set transparency_log to false";

function problemOf(
  type: string | undefined,
  hash: string | undefined,
  kind: LogEntryKind,
): string | undefined {
  // The log receives only a hash of the payload, but Ed25519 signs the payload itself.
  if (type === "ed25519" && kind === "hashedrekord/0.0.1") {
    return `the transparency log cannot verify signatures of Ed25519 keys in the format legacy. ${fix}`;
  }
  if (type !== "ed25519" && hash !== "sha256") {
    return `the key signs with ${String(hash)}, but only signatures with sha256 can be logged. ${fix}`;
  }
  return undefined;
}

function rekorV2ProblemOf(publicKey: RunSigner["publicKey"]): string | undefined {
  const problem = rekorV2KeyProblem(publicKey);
  return problem && `the key cannot be used: ${problem}. ${fix}`;
}

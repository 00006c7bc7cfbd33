import { createHash, type KeyObject, sign } from "node:crypto";
import type { CallContext } from "../../http/call-context";
import { Certificate } from "../sigstore/certificate/certificate";
import { identityOf } from "../sigstore/certificate/identity";
import type { Signer } from "../sigstore/certificate-authority/signing-certificate";
import type { Bundle } from "../sigstore/format/bundle";
import type { SigningEvidence } from "../sigstore/format/legacy-layer";
import { toPem } from "../sigstore/der/pem";
import type { KeySigner } from "../sigstore/key/key-signer";
import { sha256Hex } from "../oci/reference/digest-of";
import type { ExpectedSigner, VerifiedSigner } from "../sigstore/verification/verification";

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
  const { subjects, issuer = "" } = identityOf(new Certificate(leaf.raw));
  const [subject = ""] = subjects;
  return {
    publicKey: leaf.publicKey,
    verifier: { certificate: leaf.raw },
    ...{ verifierPem: leafPem, chainPem },
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

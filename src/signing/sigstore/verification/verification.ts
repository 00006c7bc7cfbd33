import type { KeyObject } from "node:crypto";
import type { TrustMaterial } from "../trust/trust-material";
import type { Statement } from "../payload/statement";
import type { IdentityRule } from "./identity-rule";

/** What a verification trusts and requires. */
export interface VerificationRules {
  readonly trust: TrustMaterial;
  readonly signer: ExpectedSigner;
  /**
   * What must prove the time of the signature: an entry in the transparency log, both the log and a
   * timestamp (RFC 3161), only a timestamp, or nothing (only for keys).
   *
   * @default "log"
   */
  readonly time?: "log" | "log-and-timestamp" | "timestamp" | "none" | undefined;
}

/** The required signer: an identity with a certificate, or a key. */
export type ExpectedSigner =
  | {
      /** Rules for the identity in the certificate; one must match. */
      readonly identities: readonly IdentityRule[];
      /**
       * Whether the certificate must be in a certificate transparency log.
       * @default "required"
       */
      readonly certificateLog?: "required" | "ignored" | undefined;
    }
  | { readonly key: SignerKey };

/** The public key of a signer without a certificate. */
export interface SignerKey {
  readonly publicKey: KeyObject;
  /** @default "sha256" */
  readonly hash?: SignerHash | undefined;
}

/** Hash algorithms for signatures with a key. */
export type SignerHash = "sha224" | "sha256" | "sha384" | "sha512";

/** The result of a successful verification. */
export interface Verified {
  readonly signer: VerifiedSigner;
  /** The proven time of the signature, from the log or a timestamp; undefined if none was required. */
  readonly at?: Date | undefined;
  readonly log?: { readonly logId: string; readonly logIndex: number } | undefined;
}

/** The verified signer. */
export type VerifiedSigner =
  | {
      readonly kind: "identity";
      readonly subject: string;
      readonly issuer: string;
      /** Further names in the certificate, which matched too. */
      readonly otherSubjects: readonly string[];
    }
  | {
      readonly kind: "key";
      /** SHA-256 of the public key, in hexadecimal. */
      readonly keyId: string;
    };

/** A verified signature of the image. */
export interface VerifiedSignature extends Verified {
  /** The repository in which a legacy signature was created. */
  readonly dockerReference?: string | undefined;
}

/** A verified attestation, with its statement. */
export interface VerifiedAttestation extends Verified {
  readonly statement: Statement;
  /** SHA-256 of the statement's bytes, in hexadecimal. */
  readonly statementSha256: string;
}

/** Why a verification failed. */
export interface VerificationProblem {
  readonly code: VerificationCode;
  /** A message without a full stop. Quotes only signed or configured values, never keys. */
  readonly problem: string;
}

/** The reason for a failed verification. */
export type VerificationCode =
  /** The bytes have an invalid format. */
  | "FORMAT"
  /** The content is something else, or about another image. */
  | "CLAIM"
  | "SIGNATURE"
  /** The certificate, or its chain to a trusted certificate authority. */
  | "CERTIFICATE"
  /** The certificate is not in a trusted certificate transparency log. */
  | "CERTIFICATE_LOG"
  /** Another identity signed. */
  | "IDENTITY"
  /** The transparency log's signature, proof or entry. */
  | "TRANSPARENCY_LOG"
  | "TIMESTAMP"
  /** The time of the signature is not proven, or the certificate was not valid at that time. */
  | "TIME"
  /** The trust material lacks what the verification needs. */
  | "NO_TRUST";

/** The result of a verification: what was verified, or a problem. */
export type Verification<T extends Verified = Verified> = T | VerificationProblem;

/** Whether a verification succeeded. */
export function isVerified<T extends Verified>(result: Verification<T>): result is T {
  return !("problem" in result);
}

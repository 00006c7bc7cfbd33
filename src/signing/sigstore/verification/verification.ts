import type { KeyObject } from "node:crypto";
import type { TrustMaterial } from "../trust/trust-material";
import type { Statement } from "../payload/statement";
import type { IdentityRule } from "./identity-rule";

/** What is trusted, and who must have signed. */
export interface VerificationRules {
  readonly trust: TrustMaterial;
  readonly signer: ExpectedSigner;
  /**
   * What says when the signature was made: an entry in the transparency log, or the log as well as a
   * time stamp (RFC 3161), or a time stamp alone, or nothing (which only keys can do without).
   * @default "log"
   */
  readonly time?: "log" | "log-and-time-stamp" | "time-stamp" | "none" | undefined;
}

export type ExpectedSigner =
  | {
      /** Somebody whom a trusted authority certified; one of the identities must match. */
      readonly identities: readonly IdentityRule[];
      /**
       * Whether the certificate must be in a certificate transparency log.
       * @default "required"
       */
      readonly certificateLog?: "required" | "ignored" | undefined;
    }
  | { readonly key: SignerKey };

/** A key that users keep themselves. */
export interface SignerKey {
  readonly publicKey: KeyObject;
  /** @default "sha256" */
  readonly hash?: SignerHash | undefined;
}

export type SignerHash = "sha224" | "sha256" | "sha384" | "sha512";

/** What was verified. */
export interface Verified {
  readonly signer: VerifiedSigner;
  /** When it was signed, by the log or else by a time stamp; absent for a bare key. */
  readonly at?: Date | undefined;
  readonly log?: { readonly logId: string; readonly logIndex: number } | undefined;
}

export type VerifiedSigner =
  | {
      readonly kind: "identity";
      readonly subject: string;
      readonly issuer: string;
      /** Further names in the same certificate, which matched as well. */
      readonly otherSubjects: readonly string[];
    }
  | {
      readonly kind: "key";
      /** SHA-256 of the public key, in hexadecimal. */
      readonly keyId: string;
    };

/** A verified signature: what it says is true of the image that was asked about. */
export interface VerifiedSignature extends Verified {
  /** The repository in which a legacy signature was made. */
  readonly dockerReference?: string | undefined;
}

/** A verified attestation with what it says. */
export interface VerifiedAttestation extends Verified {
  readonly statement: Statement;
  /** SHA-256 of the statement's bytes, in hexadecimal: what equal statements have in common. */
  readonly statementSha256: string;
}

/** Why something was not verified. */
export interface VerificationProblem {
  readonly code: VerificationCode;
  /** A sentence without a full stop; quotes only what was signed or configured, never keys. */
  readonly problem: string;
}

export type VerificationCode =
  /** Bytes that do not have the format they should have. */
  | "FORMAT"
  /** It says something else, or something about another image. */
  | "CLAIM"
  | "SIGNATURE"
  /** The certificate, or the way from it to a trusted authority. */
  | "CERTIFICATE"
  /** The certificate is in no trusted certificate transparency log. */
  | "CERTIFICATE_LOG"
  /** Somebody else signed. */
  | "IDENTITY"
  /** The transparency log's signature, proof or entry. */
  | "TRANSPARENCY_LOG"
  | "TIME_STAMP"
  /** Nothing says when it was signed, or it was not while the certificate was valid. */
  | "TIME"
  /** What would be needed is not among what is trusted. */
  | "NO_TRUST";

export type Verification<T extends Verified = Verified> = T | VerificationProblem;

export function isVerified<T extends Verified>(result: Verification<T>): result is T {
  return !("problem" in result);
}

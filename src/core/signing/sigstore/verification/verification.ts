import { failures } from "../../../failure/failure";
import type { KeyObject } from "node:crypto";
import { isJsonError } from "../../../json/read-json";
import type { Certificate } from "../certificate/certificate";
import { isDerError } from "../der/der-element";
import type { Statement } from "../format/statement";
import type { TrustMaterial } from "../trust/trusted-root";

export type VerificationCode =
  /** The bytes have an invalid format. */
  | "FORMAT"
  /** The content is something else, or about another image. */
  | "CLAIM"
  /** The signature does not match the key and the content. */
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

export interface VerificationRules {
  readonly trust: TrustMaterial;
  readonly signer: ExpectedSigner;
  /**
   * The required proof of the time of the signature: an entry in the transparency log, both the log and a
   * timestamp (RFC 3161), only a timestamp, or none (only for keys).
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
      /** A promise of a certificate transparency log (SCT). @default "required" */
      readonly certificateLog?: "required" | "ignored" | undefined;
    }
  | { readonly key: SignerKey };

export interface SignerKey {
  readonly publicKey: KeyObject;
  /** @default "sha256" */
  readonly hash?: SignerHash | undefined;
}

export type SignerHash = "sha224" | "sha256" | "sha384" | "sha512";

/** An allowed identity: the subject in the certificate, and the issuer of the identity token. */
export interface IdentityRule {
  readonly subject: TextRule;
  readonly issuer: TextRule;
}

/**
 * Matches strings that are equal, or that contain a match of an RE2 expression.
 *
 * @see https://github.com/google/re2/wiki/Syntax
 */
export type TextRule = { readonly equals: string } | { readonly contains: TextPattern };

/** Finds matches in strings. Only policies have patterns: signing does not load the library for RE2. */
export interface TextPattern {
  readonly source: string;
  isFoundIn(text: string): boolean;
}

export function matches(rule: TextRule, text: string): boolean {
  return "equals" in rule ? rule.equals === text : rule.contains.isFoundIn(text);
}

export function describeRule({ subject, issuer }: IdentityRule): string {
  return `${describe(subject)} from ${describe(issuer)}`;
}

function describe(rule: TextRule): string {
  return "equals" in rule ? JSON.stringify(rule.equals) : `/${rule.contains.source}/`;
}

export interface Verified {
  readonly signer: VerifiedSigner;
  /** The signer's certificate; undefined for a bare key. */
  readonly certificate?: Certificate | undefined;
  /** The proven time of the signature; undefined if none was required. */
  readonly at?: Date | undefined;
  /** The evidence for this time. */
  readonly provenBy?: "log" | "timestamp" | undefined;
  readonly log?: LoggedAt | undefined;
}

export interface LoggedAt {
  /** In hexadecimal. */
  readonly logId: string;
  readonly logIndex: number;
  /** Base URL of the log, if the trusted root has it. */
  readonly url?: string | undefined;
}

export type VerifiedSigner =
  | {
      readonly kind: "identity";
      readonly subject: string;
      readonly issuer: string;
      /** Other names in the certificate, which matched too. */
      readonly otherSubjects: readonly string[];
    }
  | {
      readonly kind: "key";
      /** SHA-256 of the public key, in hexadecimal. */
      readonly keyId: string;
    };

export interface VerifiedSignature extends Verified {
  /** The signature in the layer's annotation, or in the bundle. Attestations usually have none in an annotation. */
  readonly signature: Buffer;
  /** The repository in which a legacy signature was created. */
  readonly dockerReference?: string | undefined;
}

export interface VerifiedAttestation extends VerifiedSignature {
  readonly statement: Statement;
  /** SHA-256 of the layer or of the bundle, in hexadecimal. */
  readonly contentSha256: string;
  /** SHA-256 of the statement's bytes, in hexadecimal. */
  readonly statementSha256: string;
}

export interface VerificationProblem {
  readonly code: VerificationCode;
  /** A message without a full stop. Quotes only signed or configured values, never keys. */
  readonly problem: string;
}

/** The result of a verification: what was verified, or a problem. */
export type Verification<T extends Verified = Verified> = T | VerificationProblem;

export function isVerified<T extends Verified>(result: Verification<T>): result is T {
  return !("problem" in result);
}

/** Ends a verification. {@link attempt} converts it to a problem, so callers never see it. */
export const [verificationError, isVerificationError] =
  failures<VerificationCode>("VerificationError");

/** Ends a verification unless a condition holds. @throws VerificationError */
export function demand(holds: boolean, code: VerificationCode, problem: string): asserts holds {
  if (!holds) throw verificationError(code, problem);
}

/** Runs a verification or another reading, and converts errors about the input to a problem. */
export function attempt<T>(steps: () => T): T | VerificationProblem {
  try {
    return steps();
  } catch (error) {
    return problemOf(error, "FORMAT");
  }
}

/** Runs a step. Bytes that it cannot read are reported with the code. */
export function within<T>(code: VerificationCode, step: () => T): T {
  try {
    return step();
  } catch (error) {
    const { problem, code: found } = problemOf(error, code);
    throw verificationError(found, problem);
  }
}

/** Rethrows errors that are not about the input: they are bugs. */
function problemOf(error: unknown, code: VerificationCode): VerificationProblem {
  if (isVerificationError(error)) return { code: error.code, problem: error.message };
  if (isDerError(error) || isJsonError(error)) {
    return { code, problem: error.message };
  }
  throw error;
}

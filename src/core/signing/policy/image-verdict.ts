import type { VerificationCode } from "../sigstore/verification/verification";

/** The verdict about an image, as plain data: which policies apply, and why each accepts it or does not. */
export interface ImageVerdict {
  /** The image by digest: `registry/repository@sha256:…`. As it was given if no policy applies to it, whatever its digest is. */
  readonly image: string;
  /** The platform for which an index lists it, such as `linux/arm64/v8`. @default no index lists it, or not for a platform */
  readonly platform?: string | undefined;
  /** False also if one of `images` is not accepted. */
  readonly accepted: boolean;
  /**
   * `REFUSED`: a policy does not accept it, or one of `images`. `NOT_COVERED`: no policy applies to it. `NOT_KNOWN`: that
   * depends on what could not be read, such as the trusted root, or what a registry or a key service has.
   */
  readonly code: "ACCEPTED" | "REFUSED" | "NOT_COVERED" | "NOT_KNOWN";
  /** The policies that apply, in their order. */
  readonly policies: readonly PolicyReport[];
  /** Warnings of the policies, and what was not read because of limits, as sentences. */
  readonly notes: readonly string[];
  /** The verdicts about the images of an index, if they were requested. @default not requested, or it is not an index */
  readonly images?: readonly ImageVerdict[] | undefined;
  /** The verdict for people, in Markdown. Values that others chose are in code spans. */
  readonly text: string;
}

/** The outcome of one policy. */
export interface PolicyReport {
  readonly name: string;
  /** With `warn`, the image is accepted even if this policy does not accept it. */
  readonly mode: "enforce" | "warn";
  readonly accepted: boolean;
  /** `NO_AUTHORITY`: no authority accepts the image. `POLICY`: the policy in CUE or Rego over their results does not. */
  readonly code: "ACCEPTED" | "NO_AUTHORITY" | "POLICY";
  /** What the policy in CUE or Rego answered. */
  readonly problem?: string | undefined;
  /** The authorities that were evaluated: up to the first that accepts the image, unless there is a policy over all. */
  readonly authorities: readonly AuthorityReport[];
}

/** The outcome of one authority. */
export interface AuthorityReport {
  readonly name: string;
  readonly accepted: boolean;
  /**
   * `MISSING`: no signature or attestation meets a requirement. `STATIC`: it rejects every image. `NO_TRUST`: what it needs
   * is not trusted. `NOT_READ`: what it needs could not be obtained, for example because a registry failed.
   */
  readonly code: "ACCEPTED" | "MISSING" | "STATIC" | "NO_TRUST" | "NOT_READ";
  readonly problem?: string | undefined;
  /** Empty for a static authority, and if it could not be evaluated. */
  readonly requirements: readonly RequirementReport[];
}

/** What an authority requires: a signature, or an attestation of one type. All of them must be met. */
export interface RequirementReport {
  /** Such as `a legacy signature by …`. */
  readonly required: string;
  /** The name of the attestation in the policy. @default a signature */
  readonly attestation?: string | undefined;
  readonly accepted: boolean;
  /** What counted, at most 100. */
  readonly counted: readonly CountedReport[];
  readonly countedTotal: number;
  /** What did not count, and why, at most 100. */
  readonly rejected: readonly RejectedReport[];
  readonly rejectedTotal: number;
}

/** A signature or an attestation that counted. */
export interface CountedReport {
  /** Such as `the bundle sha256:…`. */
  readonly candidate: string;
  /** The signer's name in the certificate. @default signed with a bare key */
  readonly subject?: string | undefined;
  /** The issuer of the signer's identity. @default signed with a bare key */
  readonly issuer?: string | undefined;
  /** SHA-256 of the public key, in hexadecimal. @default signed with a certificate */
  readonly key?: string | undefined;
  /** Base URL of the transparency log, or its ID if the URL is not known. @default the log was not needed */
  readonly log?: string | undefined;
  readonly logIndex?: number | undefined;
  /** The proven time of the signature, in RFC 3339. @default no proof was needed */
  readonly time?: string | undefined;
  /** @default a legacy signature */
  readonly predicateType?: string | undefined;
}

/** A candidate that did not count. */
export interface RejectedReport {
  readonly candidate: string;
  readonly code: RejectedCode;
  readonly problem: string;
}

/** Why a candidate does not count. */
export type RejectedCode =
  | VerificationCode
  /** An attestation of another type. */
  | "OTHER_TYPE"
  /** It is attached in a form that is not checked. */
  | "UNCHECKED"
  /** Its policy in CUE or Rego does not accept the attestation. */
  | "POLICY";

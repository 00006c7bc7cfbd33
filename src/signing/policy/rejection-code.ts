import type { VerificationCode } from "../sigstore/verification/verification-code";

/** Why a candidate does not count. */
export type RejectionCode =
  | VerificationCode
  /** An attestation of another type. */
  | "OTHER_TYPE"
  /** It is attached in a form that is not checked. */
  | "UNCHECKED"
  /** Its policy in CUE or Rego does not accept the attestation. */
  | "POLICY";

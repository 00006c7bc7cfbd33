import type { VerificationCode } from "../sigstore/verification/verification-code";

/** Why a candidate does not count. */
export type RejectionCode =
  | VerificationCode
  /** An attestation of another type. */
  | "OTHER_TYPE"
  /** Its policy in CUE or Rego does not accept the attestation. */
  | "POLICY";

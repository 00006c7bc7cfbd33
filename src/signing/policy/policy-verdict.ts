import type {
  VerificationCode,
  VerifiedAttestation,
  VerifiedSignature,
} from "../sigstore/verification/verification";
import type { ImagePolicy } from "./policy";

/** What policies say of an image. */
export type PolicyVerdict = {
  /** Every policy that applies to the image, in the order of the text. */
  readonly policies: readonly PolicyOutcome[];
  /** What policies in mode `warn` would have refused. */
  readonly warnings: readonly string[];
} & (
  | { readonly isAccepted: true }
  | {
      readonly isAccepted: false;
      /** `NOT_COVERED`: no policy applies to the image. */
      readonly code: "NOT_COVERED" | "REFUSED";
      /** The policies that refuse, with what was looked for and what was found. */
      readonly message: string;
    }
);

export interface PolicyOutcome {
  readonly policy: string;
  readonly mode: ImagePolicy["mode"];
  readonly holds: boolean;
  /** As far as they were asked: the first that holds suffices. */
  readonly authorities: readonly AuthorityOutcome[];
}

export interface AuthorityOutcome {
  readonly authority: string;
  readonly holds: boolean;
  /** Why it could not be asked at all, or what a static authority says. */
  readonly problem?: string | undefined;
  /** Empty for a static authority. */
  readonly requirements: readonly RequirementOutcome[];
}

/** One thing that an authority demands: a signature, or an attestation of one type. */
export interface RequirementOutcome {
  /** `a legacy signature by …` */
  readonly wanted: string;
  /** What fulfils it. */
  readonly verified: readonly (VerifiedSignature | VerifiedAttestation)[];
  /** What was there, and does not. */
  readonly rejected: readonly Rejection[];
}

export interface Rejection {
  /** How messages name what was looked at. */
  readonly label: string;
  readonly code: VerificationCode | "OTHER_TYPE";
  readonly problem: string;
}

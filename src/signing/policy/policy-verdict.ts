import type { VerifiedAttestation, VerifiedSignature } from "../sigstore/verification/verification";
import type { ImagePolicy } from "./policy";
import type { RejectionCode } from "./rejection-code";

/** The result of evaluating policies for an image. */
export type PolicyVerdict = {
  /** The outcome of every policy that applies to the image, in their order. */
  readonly policies: readonly PolicyOutcome[];
  /** The reasons why policies in mode `warn` do not accept the image. */
  readonly warnings: readonly string[];
  readonly advice: readonly string[];
} & (
  | { readonly isAccepted: true }
  | {
      readonly isAccepted: false;
      /**
       * `NOT_COVERED`: no policy applies to the image. `NOT_KNOWN`: what could not be obtained might have made each policy
       * accept it.
       */
      readonly code: "NOT_COVERED" | "REFUSED" | "NOT_KNOWN";
      /** The policies that refuse the image, with what was required and what was found. */
      readonly message: string;
    }
);

/** The outcome of one policy. */
export interface PolicyOutcome {
  readonly policy: string;
  readonly mode: ImagePolicy["mode"];
  readonly isSatisfied: boolean;
  /**
   * The authorities that were evaluated: all up to the first that accepts the image, or all if a program
   * reads their results.
   */
  readonly authorities: readonly AuthorityOutcome[];
  /** The reason why the policy's program does not accept the results of the authorities. */
  readonly problem?: string | undefined;
  readonly warning?: string | undefined;
  /** True if the program could not be evaluated. @default false */
  readonly isUndecided?: boolean | undefined;
}

/** The outcome of one authority of a policy. */
export interface AuthorityOutcome {
  readonly authority: string;
  readonly isSatisfied: boolean;
  /** Why it does not accept the image, if no requirement says so. */
  readonly code?: AuthorityCode | undefined;
  /** The reason why it could not be evaluated, or the message of a static authority. */
  readonly problem?: string | undefined;
  /** Empty for a static authority. */
  readonly requirements: readonly RequirementOutcome[];
}

/** The outcome of one requirement of an authority: a signature, or an attestation of one type. */
export interface RequirementOutcome {
  /** The requirement, such as `a legacy signature by …`. */
  readonly required: string;
  /** The signatures or attestations that meet it. */
  readonly verified: readonly Counted[];
  /** The candidates that do not. */
  readonly rejected: readonly Rejection[];
  /** The attestation as the policy names it, and writes its type; undefined for a signature. */
  readonly attestation?: { readonly name: string; readonly type: string } | undefined;
  readonly warnings?: readonly string[] | undefined;
}

/**
 * Why an authority does not accept an image: it rejects every image (`STATIC`), what it needs is not trusted (`NO_TRUST`), or
 * could not be obtained (`NOT_READ`), for example because a registry failed.
 */
export type AuthorityCode = "STATIC" | "NO_TRUST" | "NOT_READ";

/** A signature or an attestation that meets a requirement. */
export interface Counted {
  /** Its name in messages. */
  readonly label: string;
  readonly value: VerifiedSignature | VerifiedAttestation;
}

/** A candidate that does not meet a requirement. */
export interface Rejection {
  /** The candidate's name in messages. */
  readonly label: string;
  readonly code: RejectionCode;
  readonly problem: string;
  /** True if the program about it could not be evaluated. @default false */
  readonly isUndecided?: boolean | undefined;
}

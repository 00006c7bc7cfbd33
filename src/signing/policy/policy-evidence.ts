import type { Digest } from "../oci/reference/digest";
import type { Repository } from "../oci/reference/repository";
import type { TrustMaterial } from "../sigstore/trust/trust-material";
import type {
  Verification,
  VerificationProblem,
  VerificationRules,
  VerifiedAttestation,
  VerifiedSignature,
} from "../sigstore/verification/verification";
import type { SignatureFormat, SignatureSource } from "./policy";

export interface PolicyImage {
  readonly repository: Repository;
  readonly digest: Digest;
  /** As the user wrote it; patterns are tried on it too. */
  readonly given: string;
}

/** Where signatures and attestations are looked for. */
export interface AttachmentPlace {
  readonly format: SignatureFormat;
  /** Beside the image, when it is absent. */
  readonly source?: SignatureSource | undefined;
}

/** Something that may be a signature or an attestation of the image. */
export interface Candidate<T> {
  /** How messages name it. */
  readonly label: string;
  /** What could not even be read is a problem, so that it is told of. */
  readonly content: T | VerificationProblem;
}

/** What there is to know about an image; each is asked when a policy needs it, once for each place. */
export interface PolicyEvidence<S, A> {
  readonly trust: () => Promise<TrustMaterial>;
  readonly signatures: (place: AttachmentPlace) => Promise<readonly Candidate<S>[]>;
  readonly attestations: (place: AttachmentPlace) => Promise<readonly Candidate<A>[]>;
  /** Verifies that something is a signature of the image; an attestation about it is none. */
  readonly verifySignature: (
    content: S,
    rules: VerificationRules,
  ) => Verification<VerifiedSignature | VerifiedAttestation>;
  readonly verifyAttestation: (
    content: A,
    rules: VerificationRules,
  ) => Verification<VerifiedAttestation>;
}

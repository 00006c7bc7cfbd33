import type { KeyObject } from "node:crypto";
import type { TrustMaterial } from "../sigstore/trust/trust-material";
import type {
  Verification,
  VerificationProblem,
  VerificationRules,
  VerifiedAttestation,
  VerifiedSignature,
} from "../sigstore/verification/verification";
import type { EvaluateProgram } from "./engine/program";
import type { SignatureFormat, SignatureSource } from "./policy";
import type { Rejection } from "./policy-verdict";

/** A place of signatures and attestations. */
export interface AttachmentPlace {
  readonly format: SignatureFormat;
  /** @default the repository of the image */
  readonly source?: SignatureSource | undefined;
}

/** Content that may be a signature or an attestation of the image. */
export type Candidate<T> = {
  /** Its name in messages. */
  readonly label: string;
  /**
   * The predicate type that an annotation claims. It saves reading the content, if another type is wanted.
   * @default unknown
   */
  readonly claimedType?: string | undefined;
} & (
  | {
      /** The content, or a problem if it could not be read. */
      readonly content: T | VerificationProblem;
    }
  | {
      /** Reads the content, once for all policies; a problem if it cannot be read. */
      readonly read: () => Promise<T | VerificationProblem>;
    }
);

/** Reads and verifies what is attached to an image. Read only when a policy needs it, once for each place. */
export interface PolicyEvidence<S, A> {
  readonly trust: () => Promise<TrustMaterial>;
  /**
   * Fetches the public key of a key in a key-management service.
   *
   * @param uri such as `awskms:///alias/releases`
   * @default refuses
   */
  readonly publicKey?: FetchPublicKey | undefined;
  readonly signatures: (place: AttachmentPlace) => Promise<readonly Candidate<S>[]>;
  readonly attestations: (place: AttachmentPlace) => Promise<readonly Candidate<A>[]>;
  /**
   * Finds what is attached to the image in forms that are not checked, when an authority does not find what it requires.
   *
   * @default nothing
   */
  readonly unchecked?: ((place: AttachmentPlace) => Promise<readonly Unchecked[]>) | undefined;
  /**
   * Verifies that content is a signature of the image. It may give way to others first, and throw
   * `DEADLINE` or `CANCELLED`.
   */
  readonly verifySignature: (
    content: S,
    rules: VerificationRules,
  ) => Awaitable<Verification<VerifiedSignature | VerifiedAttestation>>;
  /** The same for an attestation of the image. */
  readonly verifyAttestation: (
    content: A,
    rules: VerificationRules,
  ) => Awaitable<Verification<VerifiedAttestation>>;
  /**
   * Reads the configuration of the image, or of each image in an index, by their platforms.
   *
   * @default refuses
   */
  readonly configurations?: (() => Promise<Readonly<Record<string, object>>>) | undefined;
  /** Evaluates a policy in CUE or Rego. @default refuses */
  readonly evaluate?: EvaluateProgram | undefined;
}

/** What is attached to an image in a form that is not checked. */
export interface Unchecked extends Rejection {
  readonly code: "UNCHECKED";
  /** What it claims to be; undefined if it may be either. */
  readonly kind: "signature" | "attestation" | undefined;
}

/** Fetches the public key of a key in a key-management service, by its URI. */
export type FetchPublicKey = (uri: string) => Promise<KeyObject>;

/** A value, now or later. */
export type Awaitable<T> = T | Promise<T>;

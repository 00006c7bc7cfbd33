import type { KeyObject } from "node:crypto";
import type { CallContext } from "../../http/call-context";
import type { Attached } from "../image/verify-attached";
import type { TrustMaterial } from "../sigstore/trust/trust-material";
import type { VerificationProblem } from "../sigstore/verification/verification";
import type { EvaluateProgram } from "./engine/program";
import type { SignatureFormat, SignatureSource } from "./policy";

/** A place of signatures and attestations. */
export interface AttachmentPlace {
  readonly format: SignatureFormat;
  /** @default the repository of the image */
  readonly source?: SignatureSource | undefined;
}

/** Something that may be a signature or an attestation of the image. */
export interface Candidate {
  /** Its name in messages. */
  readonly label: string;
  /**
   * The predicate type that an annotation claims. It saves reading the content, if another type is wanted.
   * @default unknown
   */
  readonly claimedType?: string | undefined;
  /** Reads the content, once for all policies; a problem if it cannot be read. */
  readonly read: () => Promise<Attached | VerificationProblem>;
}

/** The means to read what policies need to know. They are used only when a policy needs them, once for each place. */
export interface PolicyEvidence {
  /** Of the call: many verifications must not keep others waiting. */
  readonly context: CallContext;
  readonly trust: () => Promise<TrustMaterial>;
  /**
   * Fetches the public key of a key in a key-management service.
   *
   * @param uri such as `awskms:///alias/releases`
   * @default refuses
   */
  readonly publicKey?: FetchPublicKey | undefined;
  readonly signatures: (place: AttachmentPlace) => Promise<readonly Candidate[]>;
  readonly attestations: (place: AttachmentPlace) => Promise<readonly Candidate[]>;
  /**
   * Finds what is attached to the image in forms that are not checked, when an authority does not find what it requires.
   *
   * @default nothing
   */
  readonly unchecked?: ((place: AttachmentPlace) => Promise<readonly Unchecked[]>) | undefined;
  /** What was not read because of limits, as sentences without a full stop. @default nothing */
  readonly unread?: (() => readonly string[]) | undefined;
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
export interface Unchecked {
  readonly label: string;
  readonly code: "UNCHECKED";
  readonly problem: string;
  /** What it claims to be; undefined if it may be either. */
  readonly kind: "signature" | "attestation" | undefined;
}

/** Fetches the public key of a key in a key-management service, by its URI. */
export type FetchPublicKey = (uri: string) => Promise<KeyObject>;

/** The same evidence, each part of it read once. */
export function readOnce(evidence: PolicyEvidence): PolicyEvidence {
  return {
    ...evidence,
    trust: once(evidence.trust),
    publicKey: evidence.publicKey && once(evidence.publicKey),
    signatures: once(evidence.signatures),
    attestations: once(evidence.attestations),
    unchecked: evidence.unchecked && once(evidence.unchecked),
    configurations: evidence.configurations && once(evidence.configurations),
  };
}

function once<Of extends readonly unknown[], T>(
  read: (...of: Of) => Promise<T>,
): (...of: Of) => Promise<T> {
  const results = new Map<string, Promise<T>>();
  return (...of) => {
    const name = JSON.stringify(of);
    const known = results.get(name) ?? read(...of);
    results.set(name, known);
    return known;
  };
}

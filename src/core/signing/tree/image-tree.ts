import type { VerificationCode } from "../sigstore/verification/verification";

/**
 * An image, and everything that is attached to it, as plain data. Words of others are on one line of at most 500
 * characters, without control characters.
 */
export interface ImageTree {
  /** By digest: `registry/repository@sha256:…`. */
  readonly image: string;
  /** The platform for which an index lists it, such as `linux/arm64/v8`. @default no index lists it, or not for a platform */
  readonly platform?: string | undefined;
  /** The media type of the manifest. @default the manifest could not be read */
  readonly mediaType?: string | undefined;
  /** True for what a builder attached to an image of the index: nothing runs it. @default false */
  readonly isAboutImage?: boolean | undefined;
  /** Signatures first, then attestations, then all others. */
  readonly attached: readonly AttachedItem[];
  /** The images of an index, in its order. */
  readonly images: readonly ImageTree[];
  /** What could not be read or checked, and why, as sentences. */
  readonly notes: readonly string[];
}

/** Something that is attached to an image. */
export interface AttachedItem {
  /** What it is. If it cannot be read, what its place says. */
  readonly kind: "signature" | "attestation" | "artifact";
  /** `legacy`: a layer under a tag. `bundle`: a Sigstore bundle. `other`: anything else. */
  readonly format: "legacy" | "bundle" | "other";
  /** Where it is, such as `the bundle sha256:…`. */
  readonly place: string;
  /** Of the layer, or of the manifest. @default it is listed without one */
  readonly digest?: string | undefined;
  /** The predicate type of an attestation, the media type of an artifact. @default a legacy signature */
  readonly type?: string | undefined;
  readonly check: CheckReport;
  /** Who signed it. @default not verified */
  readonly signer?: SignerReport | undefined;
  /** The proven time of the signature. @default not verified, or not proven */
  readonly signed?: { readonly at: string; readonly by: "log" | "timestamp" } | undefined;
  /** The signer's certificate, even if it is not trusted. @default signed with a bare key, or not readable */
  readonly certificate?: CertificateReport | undefined;
  readonly logEntries: readonly LogEntryReport[];
  readonly timestamps: readonly TimestampReport[];
  /** What is attached to it in turn, such as a signature of an SBOM. @default nothing, or it is no artifact */
  readonly attached?: readonly AttachedItem[] | undefined;
}

/**
 * The outcome of a check against the trusted root. `verified` says that it is genuine, not that the signer is trusted: that is
 * what policies decide. `unchecked`: it cannot be checked with what is known.
 */
export type CheckReport =
  | { readonly result: "verified" }
  | {
      readonly result: "refused" | "unchecked";
      /** @default not a failed check */
      readonly code?: VerificationCode | undefined;
      /** Without a full stop. */
      readonly problem: string;
    };

export type SignerReport =
  | { readonly subject: string; readonly issuer: string }
  /** SHA-256 of the public key, in hexadecimal. */
  | { readonly key: string };

/** A certificate in plain words. */
export interface CertificateReport {
  /** Whose it is: the email addresses or URIs of the identity. */
  readonly subjects: readonly string[];
  /** Who has confirmed that identity. */
  readonly issuer?: string | undefined;
  /** The certificate authority, such as `CN=sigstore-intermediate, O=sigstore.dev`. */
  readonly authority: string;
  readonly notBefore: string;
  readonly notAfter: string;
  /** In hexadecimal. */
  readonly serialNumber: string;
  /** Such as `EC prime256v1`. */
  readonly key: string;
  /** How many certificate transparency logs have promised to list it. */
  readonly promises: number;
  /** What the authority has confirmed about a workflow, such as its repository. */
  readonly facts: readonly { readonly name: string; readonly value: string }[];
}

/** An entry of a transparency log. */
export interface LogEntryReport {
  /** In hexadecimal. */
  readonly logId: string;
  /** Base URL of the log. @default the trusted root does not have it */
  readonly url?: string | undefined;
  readonly index: number;
  /** Such as `dsse/0.0.1`. @default not readable */
  readonly kind?: string | undefined;
  /** When the log added it. @default a log of version 2, whose entries have no time */
  readonly time?: string | undefined;
  /** The promise of the log to add it, which is signed. */
  readonly hasPromise: boolean;
  /** @default the signature came without one */
  readonly proof?: InclusionReport | undefined;
  /** Whether the log is trusted, and its signatures and the proof are right. */
  readonly check: CheckReport;
}

/** The proof that a tree of a log contains an entry. */
export interface InclusionReport {
  readonly index: number;
  readonly treeSize: number;
  /** The root to which the proof leads, in hexadecimal. */
  readonly rootHash: string;
  /** How many hashes lead to it. */
  readonly hashes: number;
  /** The name of the log in the signed root. */
  readonly origin: string;
}

/** A timestamp of the signature (RFC 3161). */
export interface TimestampReport {
  /** @default not readable */
  readonly time?: string | undefined;
  readonly check: CheckReport;
}

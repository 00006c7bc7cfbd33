import type { VerificationCode } from "../sigstore/verification/verification";

/**
 * An image, and everything that is attached to it, as plain data. Strings from registries and signers are one line of at most
 * 500 characters, without control characters.
 */
export interface ImageTree {
  /** By digest: `registry/repository@sha256:…`. */
  readonly image: string;
  /** The platform in the index, such as `linux/arm64/v8`. @default it is in no index, or has no platform there */
  readonly platform?: string | undefined;
  /** The media type of the manifest. @default the manifest could not be read */
  readonly mediaType?: string | undefined;
  /** True for an attachment that a builder put into the index. It is never run. @default false */
  readonly isAboutImage?: boolean | undefined;
  /** Signatures first, then attestations, then all others. */
  readonly attached: readonly AttachedItem[];
  /** The images of an index, in its order. */
  readonly images: readonly ImageTree[];
  /** Sentences about what could not be read or checked. */
  readonly notes: readonly string[];
}

/** Something that is attached to an image. */
export interface AttachedItem {
  /** If it cannot be read, the kind that belongs in its place. */
  readonly kind: "signature" | "attestation" | "artifact";
  /** `legacy`: a layer under a tag. `bundle`: a Sigstore bundle. `other`: anything else. */
  readonly format: "legacy" | "bundle" | "other";
  /** The place in the registry, such as `the bundle sha256:…`. */
  readonly place: string;
  /** The digest of the layer or manifest. @default it is listed without one */
  readonly digest?: string | undefined;
  /** The predicate type of an attestation, or the media type of an artifact. @default a legacy signature */
  readonly type?: string | undefined;
  readonly check: CheckReport;
  /** The signer. @default not verified */
  readonly signer?: SignerReport | undefined;
  /** The proven time of the signature. @default not verified, or not proven */
  readonly signed?: { readonly at: string; readonly by: "log" | "timestamp" } | undefined;
  /** The signer's certificate, even if it is not trusted. @default signed with a bare key, or not readable */
  readonly certificate?: CertificateReport | undefined;
  readonly logEntries: readonly LogEntryReport[];
  readonly timestamps: readonly TimestampReport[];
  /** What is attached to it, such as a signature of an SBOM. @default nothing, or it is not an artifact */
  readonly attached?: readonly AttachedItem[] | undefined;
}

/**
 * The result of a check against the trusted root. `verified` means that it is genuine, not that the signer is trusted: policies
 * decide that. `unchecked` means that the trusted root, or the signer's key, is missing.
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

/** The facts in a certificate. */
export interface CertificateReport {
  /** The identity: email addresses or URIs. */
  readonly subjects: readonly string[];
  /** The issuer that confirmed the identity. */
  readonly issuer?: string | undefined;
  /** The certificate authority, such as `CN=sigstore-intermediate, O=sigstore.dev`. */
  readonly authority: string;
  readonly notBefore: string;
  readonly notAfter: string;
  /** In hexadecimal. */
  readonly serialNumber: string;
  /** Such as `EC prime256v1`. */
  readonly key: string;
  /** The number of certificate transparency logs that have promised to list it. */
  readonly promises: number;
  /** Facts about a workflow that the authority has confirmed, such as its repository. */
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
  /** The time at which the log added it. @default a log of version 2, whose entries have no time */
  readonly time?: string | undefined;
  /** True if the log has signed a promise to add it. */
  readonly hasPromise: boolean;
  /** @default the signature has no proof */
  readonly proof?: InclusionReport | undefined;
  /** Verified if the log is trusted, and its signatures and the proof are correct. */
  readonly check: CheckReport;
}

/** The proof that a log's tree contains an entry. */
export interface InclusionReport {
  readonly index: number;
  readonly treeSize: number;
  /** The tree's root, in hexadecimal. */
  readonly rootHash: string;
  /** The number of hashes from the entry to the root. */
  readonly hashes: number;
  /** The log's name in the signed root. */
  readonly origin: string;
}

/** A timestamp of the signature (RFC 3161). */
export interface TimestampReport {
  /** @default not readable */
  readonly time?: string | undefined;
  readonly check: CheckReport;
}

import type {
  CertificateReport,
  ImageTree,
  LogEntryReport,
} from "../../../core/signing/tree/image-tree";
import type { ImageVerdict } from "../../../core/signing/policy/image-verdict";
import type { VerdictLine } from "../../../core/signing/policy/verdict-text";

export interface PageOverview {
  /** The host of image references: `127.0.0.1:port`. */
  readonly registry: string;
  readonly images: readonly ImageSummary[];
  readonly logs: readonly LogSummary[];
  /** The files with policies, as the command got them. */
  readonly policies: readonly string[];
}

export interface ImageSummary {
  /** By digest. */
  readonly image: string;
  readonly repository: string;
  readonly tags: readonly string[];
  readonly isIndex: boolean;
}

/** `v1`, `v2`: the version of the log's API. */
export type LogName = "v1" | "v2";

interface LogSummary {
  readonly log: LogName;
  readonly size: number;
}

/** An image, and what the policies say. */
export interface PageImage {
  readonly tree: ImageTree;
  /** What is said about each thing in the tree, in its order. */
  readonly facts: readonly (readonly string[])[];
  /** @default there are no policies, or there is no verdict */
  readonly verdict?: ImageVerdict | undefined;
  /** The same for people. */
  readonly said?: VerdictLine | undefined;
  /** Why there is no verdict. */
  readonly problem?: string | undefined;
}

/** Some entries of a log, the newest first. */
export interface LogPage {
  readonly log: LogName;
  readonly size: number;
  readonly entries: readonly LoggedEntry[];
}

export interface LoggedEntry extends LogEntryReport {
  /** What is said about it, and about the certificate. */
  readonly facts: readonly string[];
  /** The hash of what was signed, such as `sha256:…`. @default not readable */
  readonly content?: string | undefined;
  /** @default signed with a bare key */
  readonly certificate?: CertificateReport | undefined;
  /** SHA-256 of the public key, in hexadecimal. @default signed with a certificate */
  readonly key?: string | undefined;
}

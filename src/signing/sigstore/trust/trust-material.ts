import type { KeyObject } from "node:crypto";
import type { Certificate } from "../certificate/certificate";
import { CodedError } from "../coded-error";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The certificates and keys that a verification trusts. */
export interface TrustMaterial {
  readonly certificateAuthorities: readonly CertificateAuthority[];
  /** The transparency logs with the entries of signatures. */
  readonly transparencyLogs: readonly TrustedLog[];
  readonly certificateLogs: readonly TrustedLog[];
  readonly timestampAuthorities: readonly CertificateAuthority[];
}

export const noTrust: TrustMaterial = {
  certificateAuthorities: [],
  transparencyLogs: [],
  certificateLogs: [],
  timestampAuthorities: [],
};

/** What any of several trusted roots lists. */
export const uniteTrust = (roots: readonly TrustMaterial[]): TrustMaterial => ({
  certificateAuthorities: roots.flatMap((root) => root.certificateAuthorities),
  transparencyLogs: roots.flatMap((root) => root.transparencyLogs),
  certificateLogs: roots.flatMap((root) => root.certificateLogs),
  timestampAuthorities: roots.flatMap((root) => root.timestampAuthorities),
});

/** A trusted certificate or timestamp authority. */
export interface CertificateAuthority {
  /** Trust anchors: certificates that are trusted without an issuer. */
  readonly anchors: readonly Certificate[];
  /** Certificates between a leaf and an anchor. */
  readonly intermediates: readonly Certificate[];
  /** The URL of its service, as in the trusted root. @default any */
  readonly uri?: string | undefined;
  readonly validity: Validity;
  /** The one of several trusted roots that lists it: each describes an instance. @default there is only one */
  readonly root?: TrustMaterial | undefined;
}

/** An authority that is trusted at any time, of which all other certificates are intermediates. */
export const authorityOf = (
  certificates: readonly Certificate[],
  anchors: readonly Certificate[],
): CertificateAuthority => ({
  anchors,
  intermediates: certificates.filter((each) => !anchors.includes(each)),
  validity: {},
});

export interface TrustedLog {
  /** The log ID: SHA-256 of the public key, unless the trusted root sets another one, as it does for Rekor v2. */
  readonly id: Buffer;
  readonly publicKey: KeyObject;
  readonly validity: Validity;
  /** Empty if the trusted root has none: then no name in a checkpoint is the log's. @default a key that may have any name */
  readonly baseUrl?: string | undefined;
}

/** The URL of a log, for people. */
export const urlOf = ({ baseUrl }: TrustedLog): string | undefined =>
  baseUrl === "" ? undefined : baseUrl;

/** The period in which something is trusted. A missing start or end means no limit. */
export interface Validity {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** True if a time is within a period, including its start and end. */
export function isWithin({ from, to }: Validity, time: Date): boolean {
  if (Number.isNaN(time.getTime())) return false;
  return (from === undefined || from <= time) && (to === undefined || time <= to);
}

/**
 * The reasons for which trusted certificates and keys, or the services to sign with, cannot be loaded:
 * `FILE` (cannot be read), `DOCUMENT` (has an invalid format), `PUBLIC_INSTANCE` (could not be fetched),
 * `SIGNING_CONFIG` (has an invalid format, or lists no service that can be used).
 */
type TrustErrorCode = "FILE" | "DOCUMENT" | "PUBLIC_INSTANCE" | "SIGNING_CONFIG";

/** Trusted certificates and keys, or the services to sign with, could not be loaded. */
export class TrustError extends CodedError<TrustErrorCode> {
  override readonly name = "TrustError";
}

import type { KeyObject } from "node:crypto";
import type { Certificate } from "../certificate/certificate";

/** Whom a verification believes. */
export interface TrustMaterial {
  /** Who certifies signers. */
  readonly certificateAuthorities: readonly CertificateAuthority[];
  /** The transparency logs with the entries of signatures. */
  readonly transparencyLogs: readonly TrustedLog[];
  /** The logs of certificates. */
  readonly certificateLogs: readonly TrustedLog[];
  readonly timestampAuthorities: readonly CertificateAuthority[];
}

export interface CertificateAuthority {
  /** Where trust ends: certificates that are believed as they are. */
  readonly anchors: readonly Certificate[];
  /** Certificates on the way there. */
  readonly intermediates: readonly Certificate[];
  readonly validity: Validity;
}

export interface TrustedLog {
  /** SHA-256 of the public key, unless the log says otherwise. */
  readonly id: Buffer;
  readonly publicKey: KeyObject;
  readonly validity: Validity;
  readonly baseUrl?: string | undefined;
}

/** When it is believed; what lacks a beginning or an end always was, or always will be. */
export interface Validity {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

export function isWithin({ from, to }: Validity, time: Date): boolean {
  return (from === undefined || from <= time) && (to === undefined || time <= to);
}

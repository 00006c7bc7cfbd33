import type { KeyObject, X509Certificate } from "node:crypto";

/** A certificate for a key of ours, and what else the authority sent. */
export interface SigningCertificate {
  readonly leaf: X509Certificate;
  readonly leafPem: string;
  /** The certificates above the leaf, the nearest first. */
  readonly chainPem: readonly string[];
}

/** A key and its certificate. */
export interface Signer extends SigningCertificate {
  readonly privateKey: KeyObject;
}

/** What is left of a certificate's life when it is not used for another signature. */
const reserveMs = 30_000;

/**
 * Whether another signature can be made with a certificate. Its beginning is not looked at: it has come
 * from the authority, whose clock may be ahead of ours.
 */
export function isUsable({ leaf }: SigningCertificate, now: number): boolean {
  return now < Date.parse(leaf.validTo) - reserveMs;
}

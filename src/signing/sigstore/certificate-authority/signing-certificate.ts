import type { KeyObject, X509Certificate } from "node:crypto";

/** A certificate for our key, with its chain. */
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

import type { signatureFormats, attestationEntryTypes } from "./declare";

/** How a signature or an attestation is stored. */
export const SignatureFormat = {
  /** Stores it as an image under a tag such as `sha256-….sig`. */
  LEGACY: "legacy",
  /** Stores it as a Sigstore bundle that refers to the image. */
  BUNDLE: "bundle",
  /** Stores it in both formats. */
  BOTH: "both",
} as const satisfies Readonly<Record<string, keyof typeof signatureFormats>>;

/** One of the values of {@link SignatureFormat}. */
export type SignatureFormat = keyof typeof signatureFormats;

/** Type of the transparency log entry for a legacy attestation. */
export const AttestationEntryType = {
  /** Records the digests of the envelope and of the statement. */
  INTOTO: "intoto",
  /** Records the digests of the envelope and of the statement, and the signatures. */
  DSSE: "dsse",
} as const satisfies Readonly<Record<string, keyof typeof attestationEntryTypes>>;

/** One of the values of {@link AttestationEntryType}. */
export type AttestationEntryType = keyof typeof attestationEntryTypes;

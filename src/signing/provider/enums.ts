import type { signatureFormats, attestationEntryTypes } from "./declare";

/** How a signature or an attestation is stored beside its image. */
export const SignatureFormat = {
  /** In an image under a tag such as `sha256-….sig`. */
  LEGACY: "legacy",
  /** In a Sigstore bundle that refers to the image. */
  BUNDLE: "bundle",
  /** In both forms. */
  BOTH: "both",
} as const satisfies Readonly<Record<string, keyof typeof signatureFormats>>;

/** One of the words of {@link SignatureFormat}. */
export type SignatureFormat = keyof typeof signatureFormats;

/** What the transparency log keeps of a legacy attestation. */
export const AttestationEntryType = {
  /** The digests of the envelope and of the statement. */
  INTOTO: "intoto",
  /** The digests of the envelope and of the statement, and the signatures. */
  DSSE: "dsse",
} as const satisfies Readonly<Record<string, keyof typeof attestationEntryTypes>>;

/** One of the words of {@link AttestationEntryType}. */
export type AttestationEntryType = keyof typeof attestationEntryTypes;

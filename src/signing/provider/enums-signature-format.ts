import type { signatureFormats } from "./declare";

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

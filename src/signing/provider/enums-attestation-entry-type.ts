import type { attestationEntryTypes } from "./declare";

/** What the transparency log keeps of a legacy attestation. */
export const AttestationEntryType = {
  /** The digests of the envelope and of the statement. */
  INTOTO: "intoto",
  /** The digests of the envelope and of the statement, and the signatures. */
  DSSE: "dsse",
} as const satisfies Readonly<Record<string, keyof typeof attestationEntryTypes>>;

/** One of the words of {@link AttestationEntryType}. */
export type AttestationEntryType = keyof typeof attestationEntryTypes;

import type { conflictValues } from "./attributes";

/** The treatment of the signer's earlier signatures or attestations. */
export const Conflict = {
  /** Keeps them and adds another one. */
  APPEND: "APPEND",
  /** Adds a new one and removes the signer's earlier ones. */
  REPLACE: "REPLACE",
  /**
   * Adds one only if the signer has no valid one with the same content. Replaces the signer's attestation of the same
   * type if its content differs.
   */
  SKIPSAME: "SKIPSAME",
} as const satisfies Readonly<Record<string, (typeof conflictValues)[number]>>;

/** One of the values of {@link Conflict}. */
export type Conflict = (typeof conflictValues)[number];

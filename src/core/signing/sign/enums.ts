import type { conflictValues } from "./attributes";

/** The treatment of our earlier signatures or attestations. */
export const Conflict = {
  /** Keeps them and adds another one. */
  APPEND: "APPEND",
  /** Adds a new one and removes our earlier ones. */
  REPLACE: "REPLACE",
  /**
   * Adds one only if we have no valid one with the same content. Replaces our attestation of the same type
   * if its content differs.
   */
  SKIPSAME: "SKIPSAME",
} as const satisfies Readonly<Record<string, (typeof conflictValues)[number]>>;

/** One of the values of {@link Conflict}. */
export type Conflict = (typeof conflictValues)[number];

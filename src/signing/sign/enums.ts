import type { conflictMeanings } from "./signing-attributes";

/** What becomes of earlier signatures or attestations of ours. */
export const Conflict = {
  /** Another one is added. */
  APPEND: "APPEND",
  /** One is added, and our earlier ones are removed. */
  REPLACE: "REPLACE",
  /**
   * One is added only if there is no valid one of ours that says the same; an attestation of ours that
   * says something else of the same type is replaced.
   */
  SKIPSAME: "SKIPSAME",
} as const satisfies Readonly<Record<string, (typeof conflictMeanings)[number]>>;

/** One of the words of {@link Conflict}. */
export type Conflict = (typeof conflictMeanings)[number];

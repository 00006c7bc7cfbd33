import type { conflictWords } from "../declare/rule/signing-attributes";

/** What becomes of earlier signatures or attestations of ours. */
export const Conflict = {
  /** Another one is added. */
  APPEND: "APPEND",
  /** One is added, and our earlier ones are removed. */
  REPLACE: "REPLACE",
  /** One is added only if there is no valid one of ours that says the same. */
  SKIPSAME: "SKIPSAME",
} as const satisfies Readonly<Record<string, (typeof conflictWords)[number]>>;

/** One of the words of {@link Conflict}. */
export type Conflict = (typeof conflictWords)[number];

import type { AttestationItem } from "./attestation-conflict";
import type { Conflict, Existing } from "./conflict";

/** What to do with the bundles that refer to an image. */
export interface BundlePlan<T> {
  /** Our bundle with the same statement. It stays, and nothing is written. */
  readonly same: T | undefined;
  /** Bundles to remove after the new one, if any, is written. */
  readonly remove: readonly T[];
}

/**
 * Decides whether to write a bundle, and which of our bundles it replaces.
 *
 * `SKIPSAME` leaves exactly one bundle of ours of the type: the one with the same statement, if it exists.
 */
export function planBundle<T extends AttestationItem>(
  conflict: Conflict,
  existing: readonly Existing<T>[],
  statement: Required<AttestationItem>,
): BundlePlan<T> {
  if (conflict === "APPEND") return { same: undefined, remove: [] };
  const ours = existing
    .filter(({ item, ownership }) => {
      return ownership === "ours" && item.predicateType === statement.predicateType;
    })
    .map(({ item }) => item);
  const same =
    conflict === "SKIPSAME"
      ? ours.find(({ statementSha256 }) => statementSha256 === statement.statementSha256)
      : undefined;
  return { same, remove: ours.filter((item) => item !== same) };
}

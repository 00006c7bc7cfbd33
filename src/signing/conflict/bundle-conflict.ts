import type { AttestationItem } from "./attestation-conflict";
import type { Conflict, Existing } from "./conflict";

/** What to do about a bundle among those that refer to the same image. */
export interface BundlePlan<T> {
  /** The one that says the same and stays, which is why nothing is written. */
  readonly same: T | undefined;
  /** To be removed, once the new one (if any) is written. */
  readonly remove: readonly T[];
}

/**
 * Whether a bundle has to be written, and which of ours it takes the place of.
 *
 * `SKIPSAME` ends with exactly one of ours of the type: the same one if there is one.
 */
export function planBundle<T extends AttestationItem>(
  conflict: Conflict,
  existing: readonly Existing<T>[],
  statement: Required<AttestationItem>,
): BundlePlan<T> {
  if (conflict === "APPEND") return { same: undefined, remove: [] };
  const ours = existing
    .filter(({ item, standing }) => {
      return standing === "ours" && item.predicateType === statement.predicateType;
    })
    .map(({ item }) => item);
  const same =
    conflict === "SKIPSAME"
      ? ours.find(({ statementSha256 }) => statementSha256 === statement.statementSha256)
      : undefined;
  return { same, remove: ours.filter((item) => item !== same) };
}

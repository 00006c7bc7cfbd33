import type { Conflict, Existing, Plan } from "./conflict";

/** An existing or new attestation, as far as conflicts are concerned. */
export interface AttestationItem {
  /** The full URI; undefined if the layer cannot be read. Such a layer is never ours. */
  readonly predicateType: string | undefined;
  /** SHA-256 of the statement's bytes, in hexadecimal. */
  readonly statementSha256: string | undefined;
}

/** Decides whether to attest: skips if we have exactly one attestation of the type, with the same statement. */
export function planAttestation<T extends AttestationItem>(
  conflict: Conflict,
  existing: readonly Existing<T>[],
  statement: Required<AttestationItem>,
): Plan<T> {
  const [only, ...others] = existing.filter((each) => isOurs(each, statement));
  const isSame = only?.item.statementSha256 === statement.statementSha256 && others.length === 0;
  return conflict === "SKIPSAME" && only !== undefined && isSame
    ? { action: "skip", same: only.item }
    : { action: "write" };
}

/**
 * The tag's layers with the new ones, in order.
 *
 * If `SKIPSAME` has to write, it replaces our layers as `REPLACE` does. Called again after a concurrent
 * write.
 */
export function mergeAttestations<T extends AttestationItem>(
  conflict: Conflict,
  existing: readonly Existing<T>[],
  added: readonly T[],
): readonly T[] {
  if (conflict === "APPEND") return [...existing.map(({ item }) => item), ...added];
  const kept = existing.filter((each) => !added.some((statement) => isOurs(each, statement)));
  return [...added, ...kept.map(({ item }) => item)];
}

function isOurs(
  { item, ownership }: Existing<AttestationItem>,
  { predicateType }: AttestationItem,
): boolean {
  return (
    ownership === "ours" && item.predicateType !== undefined && item.predicateType === predicateType
  );
}

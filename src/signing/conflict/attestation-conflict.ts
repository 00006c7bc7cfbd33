import type { Conflict, Existing, Plan } from "./conflict";

/** A layer of an image with attestations. */
export interface AttestationItem {
  /** The whole URI; undefined when the layer cannot be read, which makes it nobody's. */
  readonly predicateType: string | undefined;
  /** SHA-256 of the statement's bytes, in hexadecimal. */
  readonly statementSha256: string | undefined;
}

/** Whether a statement has to be attested: not when ours of its type is one, and says the same. */
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
 * The layers once the new ones are among them, in order.
 *
 * `SKIPSAME` that has to write something takes the place of ours, as `REPLACE` does. It may be asked again
 * when others wrote in between.
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
  { item, standing }: Existing<AttestationItem>,
  { predicateType }: AttestationItem,
): boolean {
  return (
    standing === "ours" && item.predicateType !== undefined && item.predicateType === predicateType
  );
}

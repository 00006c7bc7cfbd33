import type { Digest } from "../oci/reference/digest";
import type { Conflict, Existing, Plan } from "./conflict";

/** An existing or new legacy signature. */
export interface SignatureItem {
  /** Digest of the signed payload, by which signatures are compared. */
  readonly digest: Digest;
}

/** Decides whether to sign a payload: skips if we have a signature of the same payload. */
export function planSignature<T extends SignatureItem>(
  conflict: Conflict,
  existing: readonly Existing<T>[],
  payload: Digest,
): Plan<T> {
  const same = existing.find((each) => isOurs(each, payload));
  return conflict === "SKIPSAME" && same
    ? { action: "skip", same: same.item }
    : { action: "write" };
}

/**
 * The tag's layers with the new one, in order.
 *
 * Called again after a concurrent write, with the same signature: nothing is signed twice.
 */
export function mergeSignature<T extends SignatureItem>(
  conflict: Conflict,
  existing: readonly Existing<T>[],
  added: T,
): readonly T[] {
  if (conflict !== "REPLACE") return [...existing.map(({ item }) => item), added];
  const kept = existing.filter((each) => !isOurs(each, added.digest));
  return [added, ...kept.map(({ item }) => item)];
}

function isOurs({ item, ownership }: Existing<SignatureItem>, payload: Digest): boolean {
  return ownership === "ours" && item.digest === payload;
}

import type { Digest } from "../oci/reference/digest";
import type { Conflict, Existing, Plan } from "./conflict";

/** A layer of an image with signatures; layers are compared by the digest of their payload. */
export interface SignatureItem {
  readonly digest: Digest;
}

/** Whether a signature over this payload has to be made. */
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
 * The layers once the new one is among them, in order.
 *
 * It may be asked again when others wrote in between: what has been signed is never signed again.
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

function isOurs({ item, standing }: Existing<SignatureItem>, payload: Digest): boolean {
  return standing === "ours" && item.digest === payload;
}

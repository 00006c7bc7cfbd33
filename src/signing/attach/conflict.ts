import type { Digest } from "../oci/reference/digest";

/**
 * How to treat our existing signatures or attestations: keep them, replace them, or skip signing if the content is the
 * same.
 */
export type Conflict = "APPEND" | "REPLACE" | "SKIPSAME";

/**
 * An existing signature or attestation.
 *
 * It is `ours` if it verifies and the expected signer created it. Everything else belongs to others or is
 * broken: it does not count as ours, and is never removed.
 */
export interface Existing<T> {
  readonly item: T;
  readonly ownership: "ours" | "other";
}

/** An existing or new legacy signature. */
interface SignatureItem {
  /** Digest of the signed payload, by which signatures are compared. */
  readonly digest: Digest;
}

/** Our signature of the same payload, because of which nothing is signed; undefined to sign. */
export function sameSignature<T extends SignatureItem>(
  conflict: Conflict,
  existing: readonly Existing<T>[],
  payload: Digest,
): T | undefined {
  if (conflict !== "SKIPSAME") return undefined;
  return existing.find((each) => isOurSignature(each, payload))?.item;
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
  const kept = existing.filter((each) => !isOurSignature(each, added.digest));
  return [added, ...kept.map(({ item }) => item)];
}

function isOurSignature({ item, ownership }: Existing<SignatureItem>, payload: Digest): boolean {
  return ownership === "ours" && item.digest === payload;
}

/** An existing or new attestation, as far as conflicts are concerned. */
export interface AttestationItem {
  /** The full URI; undefined if the layer cannot be read. Such a layer is never ours. */
  readonly predicateType: string | undefined;
  /** SHA-256 of the statement's bytes, in hexadecimal. */
  readonly statementSha256: string | undefined;
}

/** Our only attestation of the type, if it has the same statement, so that nothing is attested; undefined to attest. */
export function sameAttestation<T extends AttestationItem>(
  conflict: Conflict,
  existing: readonly Existing<T>[],
  statement: Required<AttestationItem>,
): T | undefined {
  if (conflict !== "SKIPSAME") return undefined;
  const [only, ...others] = existing.filter((each) => isOurAttestation(each, statement));
  const isSame = only?.item.statementSha256 === statement.statementSha256 && others.length === 0;
  return isSame ? only?.item : undefined;
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
  const kept = existing.filter(
    (each) => !added.some((statement) => isOurAttestation(each, statement)),
  );
  return [...added, ...kept.map(({ item }) => item)];
}

function isOurAttestation(
  { item, ownership }: Existing<AttestationItem>,
  { predicateType }: AttestationItem,
): boolean {
  return (
    ownership === "ours" && item.predicateType !== undefined && item.predicateType === predicateType
  );
}

/** The decision about the bundles that refer to an image. */
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
  const ours = existing.filter((each) => isOurAttestation(each, statement)).map(({ item }) => item);
  const same =
    conflict === "SKIPSAME"
      ? ours.find(({ statementSha256 }) => statementSha256 === statement.statementSha256)
      : undefined;
  return { same, remove: ours.filter((item) => item !== same) };
}

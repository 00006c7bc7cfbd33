/**
 * How to treat our existing signatures or attestations: keep them, replace them, or skip signing if the content is the
 * same.
 */
export type Conflict = "APPEND" | "REPLACE" | "SKIPSAME";

/** Where a signature or an attestation is stored. */
export type Form = "signature-layer" | "attestation-layer" | "bundle";

/** A signature of the same payload as the intended one, or an attestation of the same type. */
export interface Existing<T> {
  readonly item: T;
  /**
   * True if it verifies and the expected signer created it. Everything else belongs to others or is broken, and is never
   * removed.
   */
  readonly isOurs: boolean;
  /** True if it has the intended content. */
  readonly isSame: boolean;
}

/** What of ours is there: nothing, the intended content, other content only, or the intended content and more. */
type Found = "nothing" | "same" | "other" | "same and more";

/**
 * `add` signs. `replace` signs, and removes everything of ours. `keep` signs nothing; `keep one` also removes everything of
 * ours except what has the intended content.
 */
type Plan = "add" | "replace" | "keep" | "keep one";

/** A signature of the same payload is no duplicate to remove. A tag is written only with something new. */
const duplicates: Readonly<Record<Form, Plan>> = {
  "signature-layer": "keep",
  "attestation-layer": "replace",
  bundle: "keep one",
};

/** The plan for what of ours is there. */
const plans = (form: Form): Readonly<Record<Conflict, Readonly<Record<Found, Plan>>>> => ({
  APPEND: { nothing: "add", same: "add", other: "add", "same and more": "add" },
  REPLACE: { nothing: "add", same: "replace", other: "replace", "same and more": "replace" },
  SKIPSAME: { nothing: "add", same: "keep", other: "replace", "same and more": duplicates[form] },
});

/** What is done about one signature or attestation. */
export interface Decision<T> {
  /** Ours with the intended content, because of which nothing is signed; undefined to sign. */
  readonly keep: T | undefined;
  /** Ours to remove, after what replaces it is written. */
  readonly remove: readonly T[];
}

/** Decides whether to sign, and what of ours is removed. */
export function decide<T>(
  conflict: Conflict,
  form: Form,
  existing: readonly Existing<T>[],
): Decision<T> {
  const ours = existing.filter(({ isOurs }) => isOurs);
  const same = ours.find(({ isSame }) => isSame);
  const rest = ours.filter((each) => each !== same);
  const items = (those: readonly Existing<T>[]): readonly T[] => those.map(({ item }) => item);
  switch (plans(form)[conflict][foundOf(same, rest)]) {
    case "add":
      return { keep: undefined, remove: [] };
    case "replace":
      return { keep: undefined, remove: items(ours) };
    case "keep":
      return { keep: same?.item, remove: [] };
    case "keep one":
      return { keep: same?.item, remove: items(rest) };
  }
}

function foundOf(same: unknown, { length }: readonly unknown[]): Found {
  if (same === undefined) return length === 0 ? "nothing" : "other";
  return length === 0 ? "same" : "same and more";
}

/** True if new layers come before those that stay, as other tools order what they replace. */
export const comesFirst = (conflict: Conflict, form: Form): boolean =>
  conflict === "REPLACE" || (conflict === "SKIPSAME" && form === "attestation-layer");

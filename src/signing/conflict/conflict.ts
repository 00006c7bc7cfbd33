/** What to do with our existing signatures or attestations: keep, replace, or skip if the content is the same. */
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

/** Whether to sign. */
export type Plan<T> =
  /** It exists already: nothing is signed or logged. */
  { readonly action: "skip"; readonly same: T } | { readonly action: "write" };

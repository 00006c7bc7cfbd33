/** What is done when there is something already: add, take the place of ours, or leave what is the same. */
export type Conflict = "APPEND" | "REPLACE" | "SKIPSAME";

/**
 * Something that is there already.
 *
 * It is `ours` when it verifies and the expected signer made it. Everything else is somebody else's, or
 * broken: it neither speaks for us nor is it ours to remove.
 */
export interface Existing<T> {
  readonly item: T;
  readonly standing: "ours" | "other";
}

/** What to do before anything is signed. */
export type Plan<T> =
  /** The same is there: nothing is signed, nothing is logged. */
  { readonly action: "skip"; readonly same: T } | { readonly action: "write" };

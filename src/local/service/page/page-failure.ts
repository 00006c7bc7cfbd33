/** A failure as a page gets it. */
export interface PageFailure {
  readonly message: string;
  /** What to do; empty if nobody knows. */
  readonly cure: string;
}

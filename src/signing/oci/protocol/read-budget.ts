/**
 * The most bytes of signatures, attestations and manifests about them that one verification reads. Signing
 * and attesting, which verify what is there already, have the same limit.
 *
 * Whoever may write to a repository can attach any amount of content to an image. What is read is held in
 * memory until the verification ends, so this is also the limit of that memory.
 */
export const maxAttachedBytes = 64 * 1024 * 1024;

/** Counts the bytes that one verification reads. Small content is to be read first: it is what matters. */
export class ReadBudget {
  #left: number;

  constructor(maxBytes = maxAttachedBytes) {
    this.#left = maxBytes;
  }

  /** Takes bytes from the budget; false, and takes nothing, if it has fewer left. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }
}

/**
 * The maximum size of the signatures, attestations and their manifests that one verification reads. Signing and
 * attesting have the same limit, because they verify what is already attached.
 *
 * Anyone who may write to a repository can attach any amount of content to an image. What is read is held in
 * memory until the verification ends, so this also limits that memory.
 */
export const maxAttachedBytes = 64 * 1024 * 1024;

/** Counts the bytes that one verification reads. Read small content first: it is what matters. */
export class ReadBudget {
  #left: number;

  constructor(maxBytes = maxAttachedBytes) {
    this.#left = maxBytes;
  }

  /** Takes bytes from the budget; false if it has fewer left, and then takes none. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }
}

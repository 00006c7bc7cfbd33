/**
 * The maximum size of the signatures, attestations and their manifests that one verification reads. Signing and
 * attesting have the same limit, because they verify what is already attached.
 *
 * Anyone who may write to a repository can attach any amount of content to an image. What is read is held in
 * memory until the verification ends, so this also limits that memory.
 */
export const maxAttachedBytes = 64 * 1024 * 1024;

/** The same for the number of requests. */
const maxRequests = 5_000;

/** Counts the bytes and requests of one verification. Read small content first: it is what matters. */
export class ReadBudget {
  #bytes: number;
  #requests: number;

  constructor(maxBytes = maxAttachedBytes, requests = maxRequests) {
    this.#bytes = maxBytes;
    this.#requests = requests;
  }

  /** Checks whether so much may be read with one request. */
  fits(bytes: number): boolean {
    return bytes <= this.#bytes && this.#requests > 0;
  }

  /** Takes a request for so many bytes from the budget; false if it has less left, and then takes nothing. */
  take(bytes: number): boolean {
    if (!this.fits(bytes)) return false;
    this.#bytes -= bytes;
    this.#requests--;
    return true;
  }
}

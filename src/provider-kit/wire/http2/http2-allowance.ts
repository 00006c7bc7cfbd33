import { Http2ConnectionError } from "./http2-error";

/** How many frames that make work, and carry nothing, a peer may send: at once, and per second. */
const burst = 1000;
const perSecond = 33;

/**
 * Limits the frames of a peer that make work and carry nothing, such as those that reset streams as soon as they have
 * begun.
 */
export class Http2Allowance {
  #left = burst;
  /** In seconds, of a clock that does not jump. `performance.now` would load a module in each process. */
  #countedAt = process.uptime();

  /** @throws Http2ConnectionError ENHANCE_YOUR_CALM when there were too many */
  spend(): void {
    if (this.#left === 0) {
      const now = process.uptime();
      this.#left = Math.min(burst, Math.floor((now - this.#countedAt) * perSecond));
      this.#countedAt = now;
      if (this.#left === 0) {
        throw new Http2ConnectionError("ENHANCE_YOUR_CALM", "too many frames that carry nothing");
      }
    }
    this.#left -= 1;
  }
}

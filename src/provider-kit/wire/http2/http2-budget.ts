import { Http2ConnectionError } from "./http2-error";

/**
 * The number of bytes that all streams of a connection may hold together: messages until their handlers have
 * ended, and responses until the peer has received them. Enough for the largest message of gRPC, and for 64
 * MiB of others.
 */
export const maxHeldBytes = 320 * 1024 * 1024;

/** The work without content that a peer may cause: at once, and per second. */
const burst = 1000;
const perSecond = 33;

/** The headers of an ordinary call are much smaller. */
const freeHeaderBytes = 4096;

/** The limits of one connection: a budget of bytes, and one of work. */
export class Http2Budget {
  readonly #answerBytes: () => number;
  /** The bytes of the peer's messages. */
  #messageBytes = 0;
  /**
   * The remaining work: one for each frame without content, such as one that resets a stream as soon as it
   * has begun.
   */
  #work = burst;
  /** The time in seconds, of a monotonic clock. `performance.now` would load a module in each process. */
  #countedAt = process.uptime();

  /** @param answerBytes returns the number of response bytes that are not sent yet */
  constructor(answerBytes: () => number) {
    this.#answerBytes = answerBytes;
  }

  /** Reserves bytes for a message of the peer. @returns false if the budget is exhausted */
  hold(bytes: number): boolean {
    if (this.#messageBytes + this.#answerBytes() + bytes > maxHeldBytes) return false;
    this.#messageBytes += bytes;
    return true;
  }

  /** Releases bytes that `hold` has reserved. */
  release(bytes: number): void {
    this.#messageBytes -= bytes;
  }

  /** Counts work without content. @throws Http2ConnectionError ENHANCE_YOUR_CALM when there was too much */
  spend(work: number): void {
    this.checkAnswers();
    if (this.#work < work) this.#renew();
    this.#work -= work;
    if (this.#work < 0) {
      throw new Http2ConnectionError("ENHANCE_YOUR_CALM", "too many frames that carry nothing");
    }
  }

  /**
   * Counts the work of headers beyond those of an ordinary call. @throws Http2ConnectionError
   * ENHANCE_YOUR_CALM
   */
  spendHeaders(bytes: number): void {
    if (bytes > freeHeaderBytes) this.spend(Math.floor(bytes / freeHeaderBytes));
  }

  /**
   * Refuses further requests of a peer that does not read its responses. @throws Http2ConnectionError
   * ENHANCE_YOUR_CALM
   */
  checkAnswers(): void {
    if (this.#answerBytes() > maxHeldBytes) {
      throw new Http2ConnectionError("ENHANCE_YOUR_CALM", "the answers are not read");
    }
  }

  #renew(): void {
    const now = process.uptime();
    const more = Math.floor((now - this.#countedAt) * perSecond);
    this.#work = Math.min(burst, this.#work + more);
    this.#countedAt += more / perSecond;
  }
}

import { Http2ConnectionError } from "./http2-error";

/**
 * How many bytes all streams of a connection may hold together: messages until their handlers have ended, and answers
 * until the peer has them. Enough for the largest message of gRPC, and for 64 MiB of others.
 */
export const maxHeldBytes = 320 * 1024 * 1024;

/** How much work that carries nothing a peer may make: at once, and per second. */
const burst = 1000;
const perSecond = 33;

/** A call has far fewer bytes of headers. */
const freeHeaderBytes = 4096;

/** What one connection may cost: a budget of bytes, and one of work. */
export class Http2Budget {
  readonly #answerBytes: () => number;
  /** Of the messages of the peer. */
  #messageBytes = 0;
  /** One for a frame that carries nothing, such as one that resets a stream as soon as it has begun. */
  #work = burst;
  /** In seconds, of a clock that does not jump. `performance.now` would load a module in each process. */
  #countedAt = process.uptime();

  /** @param answerBytes says how many bytes of answers are not sent yet */
  constructor(answerBytes: () => number) {
    this.#answerBytes = answerBytes;
  }

  /** Takes what a message of the peer needs. @returns whether there was so much left */
  hold(bytes: number): boolean {
    if (this.#messageBytes + this.#answerBytes() + bytes > maxHeldBytes) return false;
    this.#messageBytes += bytes;
    return true;
  }

  /** Gives back what `hold` has taken. */
  release(bytes: number): void {
    this.#messageBytes -= bytes;
  }

  /** Counts work that carries nothing. @throws Http2ConnectionError ENHANCE_YOUR_CALM when there was too much */
  spend(work: number): void {
    this.checkAnswers();
    if (this.#work < work) this.#renew();
    this.#work -= work;
    if (this.#work < 0) {
      throw new Http2ConnectionError("ENHANCE_YOUR_CALM", "too many frames that carry nothing");
    }
  }

  /** Counts the work that headers make, beyond that of any call. @throws Http2ConnectionError ENHANCE_YOUR_CALM */
  spendHeaders(bytes: number): void {
    if (bytes > freeHeaderBytes) this.spend(Math.floor(bytes / freeHeaderBytes));
  }

  /** A peer that does not read its answers must not make more. @throws Http2ConnectionError ENHANCE_YOUR_CALM */
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

/** A queue of received messages, for one reader. */
export class MessageQueue implements AsyncIterable<Uint8Array> {
  #messages: Uint8Array[] = [];
  #ended = false;
  #wake: (() => void) | undefined;
  readonly #onTaken: (message: Uint8Array) => void;
  readonly #onEmpty: () => void;

  /**
   * @param onTaken called when the reader gets a message
   * @param onEmpty called when the reader asks for a message and the queue is empty
   */
  constructor(onTaken: (message: Uint8Array) => void, onEmpty: () => void) {
    this.#onTaken = onTaken;
    this.#onEmpty = onEmpty;
  }

  /** Adds a message. */
  push(message: Uint8Array): void {
    this.#messages.push(message);
    this.#wakeReader();
  }

  /** Marks the end: no more messages follow. */
  end(): void {
    this.#ended = true;
    this.#wakeReader();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, void> {
    for (;;) {
      // All at once, the last one first: to take the first of very many moves all the others.
      const messages = this.#messages.reverse();
      this.#messages = [];
      for (let next = messages.pop(); next !== undefined; next = messages.pop()) {
        this.#onTaken(next);
        yield next;
      }
      if (this.#messages.length > 0) continue;
      if (this.#ended) return;
      this.#onEmpty();
      await this.#change();
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #wakeReader(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}

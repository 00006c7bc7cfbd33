/** A queue of received messages, for one reader. */
export class MessageQueue implements AsyncIterable<Uint8Array> {
  readonly #messages: Uint8Array[] = [];
  #ended = false;
  #wake: (() => void) | undefined;

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
      const message = this.#messages.shift();
      if (message !== undefined) yield message;
      else if (this.#ended) return;
      else await this.#change();
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

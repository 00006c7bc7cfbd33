/** While Terraform does not read, this many messages wait. */
const maxWaiting = 100;
const maxLength = 1000;

/** Messages about the progress of an action, for one reader. Bounded: what does not fit is counted. */
export class ProgressQueue implements AsyncIterable<string> {
  readonly #waiting: string[] = [];
  #omitted = 0;
  #hasEnded = false;
  #wake: (() => void) | undefined;

  /** Adds a message, shortened to 1,000 characters. Ignored after the end. */
  push(message: string): void {
    if (this.#hasEnded) return;
    if (this.#waiting.length >= maxWaiting) this.#omitted += 1;
    else this.#waiting.push(shortened(message));
    this.#wakeReader();
  }

  /** Marks the end: no more messages follow. */
  end(): void {
    this.#hasEnded = true;
    this.#wakeReader();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string, void, void> {
    for (;;) {
      const next = this.#next();
      if (next !== undefined) yield next;
      else if (this.#hasEnded) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  #next(): string | undefined {
    const next = this.#waiting.shift();
    if (next !== undefined || this.#omitted === 0) return next;
    const text = `(${this.#omitted} more messages were omitted)`;
    this.#omitted = 0;
    return text;
  }

  #wakeReader(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}

const shortened = (message: string): string =>
  message.length <= maxLength ? message : `${message.slice(0, maxLength - 1)}…`;

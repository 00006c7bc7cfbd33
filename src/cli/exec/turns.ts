/** Lets callers do something one after another. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Calls `use` when the earlier callers are done. */
  async take<Result>(use: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(use);
    this.#last = result.catch(() => undefined);
    return await result;
  }
}

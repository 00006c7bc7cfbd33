import { CtyError } from "./error";

const maxDepth = 1000;

/** Tracks the current path inside a value, so that an error can contain it. */
export class Trail {
  readonly #steps: (string | number)[] = [];
  #depth = 0;

  /**
   * Adds a step to the path.
   *
   * @throws CtyError when the value is nested too deeply
   */
  enter(step: string | number): void {
    if (this.#depth === maxDepth) {
      throw new CtyError(`values are nested deeper than ${maxDepth} levels`);
    }
    this.#steps[this.#depth] = step;
    this.#depth += 1;
  }

  /** Removes the last step of the path. */
  leave(): void {
    this.#depth -= 1;
  }

  /** Creates an error with the current path. */
  fail(problem: string): CtyError {
    return new CtyError(problem, this.#steps.slice(0, this.#depth));
  }

  /** Adds the current path to a `CtyError` without a path. Returns any other error unchanged. */
  locate(error: unknown): unknown {
    return error instanceof CtyError && error.path.length === 0 ? this.fail(error.problem) : error;
  }
}

import { CtyError } from "./error";

const MAX_DEPTH = 1000;

/** Remembers where in a value the work is, so that an error can name the place. */
export class Trail {
  private readonly steps: (string | number)[] = [];
  private depth = 0;

  enter(step: string | number): void {
    if (this.depth === MAX_DEPTH) {
      throw new CtyError(`values are nested deeper than ${MAX_DEPTH} levels`);
    }
    this.steps[this.depth] = step;
    this.depth += 1;
  }

  leave(): void {
    this.depth -= 1;
  }

  /** Makes the error for the place entered last. */
  fail(problem: string): CtyError {
    return new CtyError(problem, this.steps.slice(0, this.depth));
  }

  /** Gives an error that was thrown without a place the present one. */
  locate(error: unknown): unknown {
    return error instanceof CtyError && error.path.length === 0 ? this.fail(error.problem) : error;
  }
}

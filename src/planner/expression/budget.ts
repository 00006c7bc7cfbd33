import { failures } from "../../core/failure/failure";

/** Thrown when an expression takes more work than its stack has left. Its value is then unknown. */
export const [tooMuchWork, isTooMuchWork] = failures<"TOO_MUCH_WORK">("TooMuchWork");

/**
 * At worst, a few seconds and some hundred megabytes. A step is one evaluated part of an expression, one created or
 * visited value, or eight characters of text.
 */
const stepsOfStack = 10_000_000;

/** Each expression gets so many steps even if nothing is left, which is enough for an ordinary one. */
const stepsOfExpression = 10_000;

let left = Infinity;

/** @throws TooMuchWork when the running evaluation has no steps left */
export function spend(steps: number): void {
  left -= steps;
  if (left < 0) throw tooMuchWork("TOO_MUCH_WORK", "The expression takes too much work.");
}

/** The steps of all evaluations of a stack. */
export class Budget {
  #left = stepsOfStack;

  /**
   * Evaluates with half of the remaining steps, so that one expression cannot use up those of the others.
   *
   * @throws TooMuchWork when they are not enough
   */
  run<T>(evaluate: () => T): T {
    const outer = left;
    const own = Math.max(Math.floor(this.#left / 2), stepsOfExpression);
    left = own;
    try {
      return evaluate();
    } finally {
      this.#left = Math.max(this.#left - own + Math.max(left, 0), 0);
      left = outer;
    }
  }
}

import { failures } from "../../core/failure/failure";
/** Thrown when an expression takes more work than its stack has left. Its value is then not known. */
export const [tooMuchWork, isTooMuchWork] = failures<"TOO_MUCH_WORK">("TooMuchWork");

/**
 * Some seconds and some hundred megabytes at worst. A step is a part of an expression that is evaluated, a value that
 * is made or looked at, or eight characters of a text.
 */
const stepsOfStack = 10_000_000;

/** What every expression may take, also when nothing is left: enough for an ordinary one. */
const stepsOfExpression = 10_000;

let left = Infinity;

/**
 * Takes steps from what the running evaluation has left.
 *
 * @throws TooMuchWork when it has no more
 */
export function spend(steps: number): void {
  left -= steps;
  if (left < 0) throw tooMuchWork("TOO_MUCH_WORK", "The expression takes too much work.");
}

/** What the evaluation of one stack may cost in all. */
export class Budget {
  #left = stepsOfStack;

  /**
   * Evaluates with half of what is left, so that one expression does not take everything from the others.
   *
   * @throws TooMuchWork when that is not enough
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

let isFinishing = false;

/**
 * Lets the process finish its work even if its output is closed, as with `| head`. Otherwise the process
 * exits, and everything that it has started is aborted as well.
 */
export function finishWithoutOutput(): void {
  isFinishing = true;
}

/** Checks whether the process continues when its output is closed. */
export const finishesWithoutOutput = (): boolean => isFinishing;

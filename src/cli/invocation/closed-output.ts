let isFinishing = false;

/**
 * From now on, the work is finished even if nobody reads its output any more, as with `| head`. Otherwise the
 * process ends, and what it has started would break off as well.
 */
export function finishWithoutOutput(): void {
  isFinishing = true;
}

/** Whether the process continues when its output is closed. */
export const finishesWithoutOutput = (): boolean => isFinishing;

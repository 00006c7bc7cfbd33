const pauseMs = 5;

/** Polls until a condition is true. Use it only for what must happen: only the test's timeout ends it. */
export async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, pauseMs).unref());
}

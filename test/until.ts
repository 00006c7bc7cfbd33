const pauseMs = 5;

/** Looks until a condition holds. Wait only for what must come: nothing but the test's time-out ends this. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, pauseMs).unref());
}

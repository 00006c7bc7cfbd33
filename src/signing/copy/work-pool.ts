/**
 * Runs tasks with limited concurrency. After the first failure, no further task is started.
 *
 * @param limit maximum number of tasks that run at the same time
 */
export function createWorkPool(limit: number) {
  let running = 0;
  const waiting: (() => void)[] = [];

  async function run<T>(work: () => Promise<T>): Promise<T> {
    while (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    running++;
    try {
      return await work();
    } finally {
      running--;
      waiting.shift()?.();
    }
  }

  return {
    /** Runs the work for each item. On failure, waits for running tasks before it rejects. */
    async each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
      let hasFailed = false;
      const results = await Promise.allSettled(
        items.map((item) =>
          run(async () => {
            if (hasFailed) return;
            try {
              await work(item);
            } catch (failure) {
              hasFailed = true;
              throw failure;
            }
          }),
        ),
      );
      const failed = results.find((result) => result.status === "rejected");
      if (failed !== undefined) throw failed.reason;
    },
  };
}

/** Runs tasks with limited concurrency. */
export type WorkPool = ReturnType<typeof createWorkPool>;

/** Runs work with at most so many pieces of it at a time; after the first failure nothing more is begun. */
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
    /** Each item's work; waits for what is under way before it fails. */
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

export type WorkPool = ReturnType<typeof createWorkPool>;

/**
 * Runs the work for each item, with at most `limit` items at the same time. After a failure it starts no further work,
 * and waits for the work that is running.
 *
 * @throws the first failure
 */
export async function inParallel<T>(
  limit: number,
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (let next = rest.next(); next.done !== true; next = rest.next()) {
      await work(next.value).catch((failure: unknown) => failures.push(failure));
      if (failures.length > 0) return;
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
  if (failures.length > 0) throw failures[0];
}

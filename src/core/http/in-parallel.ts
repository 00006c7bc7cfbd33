/**
 * Runs the work for each item, at most `limit` of them at the same time. After a failure no further work is
 * started, and the work that is running is waited for.
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

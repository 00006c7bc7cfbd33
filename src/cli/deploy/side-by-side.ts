/**
 * Runs items, several at the same time, each after those that have to come before it.
 *
 * If one throws, those that run are awaited, and no others are started.
 *
 * @param items sorted, so that each comes after those before it
 * @param atOnce how many run at the same time
 * @param comesBefore tells whether the first item has to come before the second one
 * @returns the results in the order of the items
 * @throws what the first of them has thrown
 */
export async function runSideBySide<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  comesBefore: (first: Item, second: Item) => boolean,
  run: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const waiting = new Map(items.entries());
  const running = new Set<Promise<void>>();
  const results = new Map<number, Result>();
  const failures: unknown[] = [];
  const start = (at: number, item: Item): void => {
    waiting.delete(at);
    const ended = run(item)
      .then((result) => {
        results.set(at, result);
      })
      .catch((failure: unknown) => {
        failures.push(failure);
        waiting.clear();
      })
      .finally(() => running.delete(ended));
    running.add(ended);
  };
  const isReady = (at: number, item: Item): boolean =>
    items.slice(0, at).every((other, index) => results.has(index) || !comesBefore(other, item));
  while (waiting.size + running.size > 0) {
    for (const [at, item] of waiting) {
      if (running.size < atOnce && isReady(at, item)) start(at, item);
    }
    await Promise.race(running);
  }
  if (failures.length > 0) throw failures[0];
  return items.flatMap((_, at) => [results.get(at)].filter((result) => result !== undefined));
}

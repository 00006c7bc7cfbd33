/**
 * The values of an iterable, until a signal is aborted. Does not wait for an iterable that ignores the signal.
 *
 * @throws the signal's reason, also if the iterable ends because of the signal
 */
export async function* untilAborted<T>(
  values: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void, void> {
  const iterator = values[Symbol.asyncIterator]();
  try {
    for (;;) {
      signal.throwIfAborted();
      const next = await nextOf(iterator, signal);
      signal.throwIfAborted();
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    const ended = Promise.resolve(iterator.return?.());
    if (signal.aborted) ended.catch(() => undefined);
    else await ended;
  }
}

function nextOf<T>(iterator: AsyncIterator<T>, signal: AbortSignal): Promise<IteratorResult<T>> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(signal.reason as Error);
    };
    signal.addEventListener("abort", abort, { once: true });
    iterator
      .next()
      .finally(() => {
        signal.removeEventListener("abort", abort);
      })
      .then(resolve, reject);
  });
}

const cleanups: (() => unknown)[] = [];

/** Registers something to be closed after the test. */
export function closeAfterTest(close: () => unknown): void {
  cleanups.push(close);
}

afterEach(async () => {
  await Promise.all(cleanups.splice(0).map((close) => close()));
});

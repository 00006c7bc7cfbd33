const systemNow = Date.now;

afterEach(() => {
  Date.now = systemNow;
});

/** Makes `Date.now` so much later, until the test ends; timers know nothing of it. */
export function skipTime(ms: number): void {
  const now = Date.now;
  Date.now = () => now() + ms;
}

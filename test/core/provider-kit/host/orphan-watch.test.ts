import { type Clock, OrphanWatch } from "../../../../src/core/provider-kit/host/plugin-process";

/** A clock that the test advances. */
class ManualClock implements Clock {
  #timers: { readonly at: number; readonly action: () => void }[] = [];
  #now = 0;

  after(delayMs: number, action: () => void): () => void {
    const timer = { at: this.#now + delayMs, action };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  pass(ms: number): void {
    this.#now += ms;
    const due = this.#timers.filter(({ at }) => at <= this.#now);
    this.#timers = this.#timers.filter(({ at }) => at > this.#now);
    for (const { action } of due) action();
  }
}

let clock: ManualClock;
let orphaned: number;
let watch: OrphanWatch;

beforeEach(() => {
  clock = new ManualClock();
  orphaned = 0;
  const options = { clock, firstConnectionMs: 1000, reconnectionMs: 100 };
  watch = new OrphanWatch(() => (orphaned += 1), options);
});

test("ends when no client ever connects", () => {
  clock.pass(999);
  expect(orphaned).toBe(0);
  clock.pass(1);
  expect(orphaned).toBe(1);
});

test("waits as long as a client is connected", () => {
  watch.update(1);
  watch.update(2);
  watch.update(1);
  clock.pass(1_000_000);
  expect(orphaned).toBe(0);
});

test("ends some time after the last client has disconnected", () => {
  watch.update(1);
  watch.update(0);
  clock.pass(99);
  expect(orphaned).toBe(0);
  clock.pass(1);
  expect(orphaned).toBe(1);
});

test("accepts a reconnection", () => {
  watch.update(1);
  watch.update(0);
  clock.pass(99);
  watch.update(1);
  clock.pass(1000);
  expect(orphaned).toBe(0);
});

test("waits a minute for the first connection and 5 s for another one by default", () => {
  let ends = 0;
  const byDefault = new OrphanWatch(() => (ends += 1), { clock });
  clock.pass(59_999);
  expect(ends).toBe(0);
  clock.pass(1);
  expect(ends).toBe(1);
  byDefault.update(0);
  clock.pass(4_999);
  expect(ends).toBe(1);
  clock.pass(1);
  expect(ends).toBe(2);
});

import { type Backoff, backoffMs, repeat, type RepeatSettings } from "../../../src/core/http/retry";
import { VirtualClock } from "./virtual-clock";

/** Attempts whose results are their numbers. By default, they never end. */
async function run(settings: Partial<RepeatSettings<number>> = {}, deadlineMs = 10_000) {
  const clock = new VirtualClock();
  const logged: unknown[] = [];
  const abort = new AbortController();
  const context = { signal: abort.signal, deadline: clock.now() + deadlineMs };
  const attempts: number[] = [];
  const end = await repeat<number>({
    context,
    clock,
    random: () => 0,
    attempt: (number) => {
      attempts.push(number);
      return Promise.resolve(number);
    },
    waitMs: () => 1_000,
    log: {
      debug: (message, fields) => logged.push(["debug", message, fields]),
      warn: (message, fields) => logged.push(["warn", message, fields]),
    },
    ...settings,
  });
  return { end, attempts, sleeps: clock.sleeps, logged };
}

describe("attempts are repeated", () => {
  test("until the policy ends them", async () => {
    const waits = [3_000, 0, undefined];
    const { end, attempts, sleeps } = await run({ waitMs: () => waits.shift() });
    expect([end, attempts, sleeps]).toEqual([3, [1, 2, 3], [3_000, 0]]);
  });

  test("until the next one would begin at or after the deadline", async () => {
    expect(await run({}, 3_000)).toMatchObject({ end: 3, sleeps: [1_000, 1_000] });
  });

  test("with their number, the time and a random number for the policy", async () => {
    const asked: unknown[] = [];
    await run({
      random: () => 0.25,
      waitMs(end, { number, now, random }) {
        asked.push([end, number, now - Date.parse("2026-03-01T12:00:00Z"), random()]);
        return number < 2 ? 500 : undefined;
      },
    });
    expect(asked).toEqual([
      [1, 1, 0, 0.25],
      [2, 2, 500, 0.25],
    ]);
  });

  test("and reported", async () => {
    const { logged } = await run({
      waitMs: (end) => (end === 1 ? 7 : undefined),
      describe: (end) => ({ message: "tried", fields: { end } }),
    });
    expect(logged).toEqual([
      ["debug", "tried", { end: 1, attempt: 1 }],
      ["warn", "tried; attempt 2 follows in 0 s", { end: 1, attempt: 1, waitMs: 7 }],
      ["debug", "tried", { end: 2, attempt: 2 }],
    ]);
  });

  test("with what went wrong, and after at most a minute", async () => {
    const { logged, sleeps } = await run(
      {
        waitMs: (end) => (end === 1 ? 90_000 : undefined),
        describe: (end) => ({ message: "tried", fields: { end }, problem: "the log is busy" }),
      },
      100_000,
    );
    expect(sleeps).toEqual([60_000]);
    expect(logged[1]).toEqual([
      "warn",
      "the log is busy; attempt 2 follows in 60 s",
      { end: 1, attempt: 1, waitMs: 60_000 },
    ]);
  });

  test("not if the wait would end after the deadline, even if a shorter one is allowed", async () => {
    const { attempts, sleeps } = await run({ waitMs: () => 3_600_000 }, 600_000);
    expect([attempts, sleeps]).toEqual([[1], []]);
  });

  test("not after one that throws", async () => {
    const attempt = () => Promise.reject(new Error("no"));
    await expect(run({ attempt })).rejects.toThrow("no");
  });
});

test.each<[string, Backoff, number, readonly number[]]>([
  ["grow", { firstMs: 100, factor: 3, jitter: 0 }, 1, [100, 300, 900, 2_700]],
  ["grow to a limit", { firstMs: 100, factor: 2, maxMs: 250, jitter: 0 }, 1, [100, 200, 250, 250]],
  ["are shorter by chance", { firstMs: 100, factor: 2, jitter: 0.5 }, 0.5, [75, 150, 300, 600]],
  ["may be any by chance", { firstMs: 100, factor: 2, maxMs: 300, jitter: 1 }, 1, [0, 0, 0, 0]],
])("waits %s", (_, backoff, chance, expected) => {
  const random = () => chance;
  expect([1, 2, 3, 4].map((number) => backoffMs(backoff, { number, random }))).toEqual(expected);
});

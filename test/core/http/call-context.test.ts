import { systemClock } from "../../../src/core/http/call-context";

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test("a delay that is too long for a timer does not end at once", async () => {
  const called = jest.fn();
  systemClock.schedule(2 ** 40, called);
  const slept = jest.fn();
  void systemClock.sleep(2 ** 40, new AbortController().signal).then(slept);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(called).not.toHaveBeenCalled();
  expect(slept).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(2 ** 31);
  expect(called).toHaveBeenCalledTimes(1);
  expect(slept).toHaveBeenCalledTimes(1);
});

test("what is cancelled leaves no timer", async () => {
  const controller = new AbortController();
  const slept = systemClock.sleep(1_000, controller.signal);
  const cancel = systemClock.schedule(1_000, () => undefined);
  expect(jest.getTimerCount()).toBe(2);
  controller.abort(new Error("stopped"));
  cancel();
  await expect(slept).rejects.toThrow("stopped");
  expect(jest.getTimerCount()).toBe(0);
});

test("a sleep that is cancelled before it begins takes no time", async () => {
  const reason = new Error("stopped");
  await expect(systemClock.sleep(1_000, AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(jest.getTimerCount()).toBe(0);
});

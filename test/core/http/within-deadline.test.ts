import { withinDeadline } from "../../../src/core/http/call-context";
import { endedWhile } from "../../../src/core/http/http-error";

const running = new AbortController().signal;
/** Work of a library that ignores its signal. */
const endless = () => new Promise<never>(() => undefined);

test("work that has ended in time returns its result, or fails with its error", async () => {
  const context = { signal: running, deadline: Date.now() + 60_000 };
  expect(await withinDeadline(context, "the work", () => Promise.resolve(1))).toBe(1);
  const failure = new Error("broken");
  await expect(withinDeadline(context, "the work", () => Promise.reject(failure))).rejects.toBe(
    failure,
  );
});

test("work without a deadline is not ended at once", async () => {
  const context = { signal: running, deadline: Number.MAX_SAFE_INTEGER };
  const later = () => new Promise((resolve) => setTimeout(() => resolve("done"), 50));
  expect(await withinDeadline(context, "the work", later)).toBe("done");
});

test("work that goes on after the deadline is not waited for", async () => {
  const context = { signal: running, deadline: Date.now() + 20 };
  await expect(withinDeadline(context, "the work", endless)).rejects.toMatchObject({
    code: "DEADLINE",
    message: "the deadline passed before the work was finished",
  });
});

test("work is ended by the signal, and not begun after it", async () => {
  const controller = new AbortController();
  const context = { signal: controller.signal, deadline: Date.now() + 60_000 };
  const ended = withinDeadline(context, "the work", endless);
  controller.abort();
  const cancelled = { code: "CANCELLED", message: "the work was interrupted" };
  await expect(ended).rejects.toMatchObject(cancelled);
  const begun = jest.fn(endless);
  await expect(withinDeadline(context, "the work", begun)).rejects.toMatchObject(cancelled);
  expect(begun).not.toHaveBeenCalled();
});

test.each([
  ["CANCELLED", "the call was cancelled while a policy was evaluated"],
  ["DEADLINE", "the time ran out while a policy was evaluated"],
] as const)("the end of a call says what it interrupted: %s", (code, message) => {
  expect(endedWhile(code, "a policy was evaluated")).toMatchObject({ code, message });
});

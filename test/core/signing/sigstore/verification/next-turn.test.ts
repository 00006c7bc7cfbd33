import { nextTurn } from "../../../../../src/core/signing/sigstore/verification/next-turn";

const running = new AbortController().signal;

test("whatever waits in the process gets its turn", async () => {
  const order: string[] = [];
  setImmediate(() => order.push("another"));
  await nextTurn({ signal: running, deadline: Infinity });
  order.push("this");
  expect(order).toEqual(["another", "this"]);
});

test("a call whose time ran out ends, and one that has time left goes on", async () => {
  const context = { signal: running, deadline: 1_000 };
  await expect(nextTurn(context, () => 1_000)).rejects.toMatchObject({ code: "DEADLINE" });
  await expect(nextTurn(context, () => 999)).resolves.toBeUndefined();
});

test("a cancelled call ends", async () => {
  const context = { signal: AbortSignal.abort(), deadline: Infinity };
  await expect(nextTurn(context)).rejects.toMatchObject({ code: "CANCELLED" });
});

import type { CallContext } from "../../../../src/http/call-context";
import { ServiceError } from "../../../../src/signing/sigstore/service/service-error";
import { shareCall } from "../../../../src/signing/sigstore/service/share-call";
import { failureOf } from "./client-bench";

function context(signal = new AbortController().signal): CallContext {
  return { signal, deadline: Number.MAX_SAFE_INTEGER };
}

/** A call whose outcomes the test decides. */
function bench(isGood: (value: number) => boolean = () => true) {
  const calls: { readonly context: CallContext; end: (outcome: number | Error) => void }[] = [];
  const shared = shareCall<number>(
    (given) =>
      new Promise((resolve, reject) => {
        calls.push({
          context: given,
          end: (outcome) => (typeof outcome === "number" ? resolve(outcome) : reject(outcome)),
        });
      }),
    isGood,
  );
  return { calls, shared };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("a shared call", () => {
  test("is made once for all who want it at the same time, and kept for those after them", async () => {
    const { calls, shared } = bench();
    const answers = Array.from({ length: 8 }, () => shared(context()));
    calls[0]?.end(7);
    expect(await Promise.all(answers)).toEqual(Array.from({ length: 8 }, () => 7));
    expect(await shared(context())).toBe(7);
    expect(calls).toHaveLength(1);
  });

  test("is made again when what it gave is not good any more", async () => {
    let isGood = true;
    const { calls, shared } = bench(() => isGood);
    const first = shared(context());
    calls[0]?.end(1);
    expect(await first).toBe(1);
    isGood = false;
    const second = shared(context());
    calls[1]?.end(2);
    expect(await second).toBe(2);
  });

  test("gives what it got, good or not, to all who waited", async () => {
    const { calls, shared } = bench(() => false);
    const answers = [shared(context()), shared(context())];
    calls[0]?.end(1);
    expect(await Promise.all(answers)).toEqual([1, 1]);
    expect(calls).toHaveLength(1);
  });

  test("fails for all who waited for it, and is made again after that", async () => {
    const { calls, shared } = bench();
    const answers = [shared(context()), shared(context())].map((each) => failureOf(each));
    calls[0]?.end(new ServiceError("TRANSPORT", "no way"));
    expect((await Promise.all(answers)).map(({ code }) => code)).toEqual([
      "TRANSPORT",
      "TRANSPORT",
    ]);
    const again = shared(context());
    calls[1]?.end(3);
    expect(await again).toBe(3);
  });

  test.each(["CANCELLED", "DEADLINE"] as const)(
    "is made again by those who waited when the first gave up: %s",
    async (code) => {
      const { calls, shared } = bench();
      const first = failureOf(shared(context()));
      const own = context();
      const others = [shared(own), shared(context())];
      calls[0]?.end(new ServiceError(code, "over"));
      expect((await first).code).toBe(code);
      await turn();
      expect(calls).toHaveLength(2);
      expect(calls[1]?.context).toBe(own);
      calls[1]?.end(5);
      expect(await Promise.all(others)).toEqual([5, 5]);
    },
  );

  test("is not waited for by those who are cancelled", async () => {
    const { calls, shared } = bench();
    const first = shared(context());
    const abort = new AbortController();
    const second = failureOf(shared(context(abort.signal)));
    const third = failureOf(shared(context(AbortSignal.abort())));
    abort.abort();
    expect((await second).code).toBe("CANCELLED");
    expect((await third).code).toBe("CANCELLED");
    calls[0]?.end(1);
    expect(await first).toBe(1);
  });
});

import { httpError } from "../../../src/core/http/http-error";
import { renewedValue, type RenewedValueSettings } from "../../../src/core/http/renewed-value";
import { VirtualClock } from "./virtual-clock";

interface Token {
  readonly number: number;
  readonly expiresAt: number;
}

interface Asker {
  readonly signal: AbortSignal;
}

const asker = (signal = new AbortController().signal): Asker => ({ signal });

/** Renewals whose outcomes the test controls. A token is valid for a minute. */
function bench(settings: Partial<RenewedValueSettings<Token, Asker>> = {}) {
  const clock = new VirtualClock();
  const renewals: { readonly asker: Asker; end: (outcome: number | Error) => void }[] = [];
  const token = renewedValue<Token, Asker>({
    renew: (given) =>
      new Promise((resolve, reject) => {
        renewals.push({
          asker: given,
          end(outcome) {
            if (typeof outcome !== "number") reject(outcome);
            else resolve({ number: outcome, expiresAt: clock.now() + 60_000 });
          },
        });
      }),
    expiresAt: (value) => value.expiresAt,
    marginMs: 10_000,
    now: () => clock.now(),
    ...settings,
  });
  return { clock, renewals, token };
}

async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (failure: unknown) => failure,
  );
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const error = (code: "NO_ANSWER" | "CANCELLED" | "DEADLINE") => httpError(code, "no");

describe("a renewed value", () => {
  test("is fetched once for all concurrent callers, and cached for later ones", async () => {
    const { renewals, token } = bench();
    const answers = Array.from({ length: 8 }, () => token(asker()));
    renewals[0]?.end(7);
    const numbers = (await Promise.all(answers)).map(({ number }) => number);
    expect(numbers).toEqual(Array.from({ length: 8 }, () => 7));
    expect(await token(asker())).toMatchObject({ number: 7 });
    expect(renewals).toHaveLength(1);
  });

  test("is renewed by the margin before it expires", async () => {
    const { clock, renewals, token } = bench();
    const first = token(asker());
    renewals[0]?.end(1);
    await first;
    clock.advance(49_999);
    expect(await token(asker())).toMatchObject({ number: 1 });
    clock.advance(1);
    const second = token(asker());
    renewals[1]?.end(2);
    expect(await second).toMatchObject({ number: 2 });
  });

  test("is returned to all waiting callers however short its lifetime, and then renewed", async () => {
    const { renewals, token } = bench({ marginMs: 120_000 });
    const answers = [token(asker()), token(asker())];
    renewals[0]?.end(1);
    expect(await Promise.all(answers)).toMatchObject([{ number: 1 }, { number: 1 }]);
    expect(renewals).toHaveLength(1);
    const later = token(asker());
    renewals[1]?.end(2);
    expect(await later).toMatchObject({ number: 2 });
  });

  test("is renewed once for all callers for which it was refused", async () => {
    const { renewals, token } = bench();
    const isFirst = ({ number }: Token): boolean => number === 1;
    const first = token(asker());
    renewals[0]?.end(1);
    await first;
    const answers = [token(asker(), isFirst), token(asker(), isFirst)];
    renewals[1]?.end(2);
    expect(await Promise.all(answers)).toMatchObject([{ number: 2 }, { number: 2 }]);
    expect(await token(asker(), isFirst)).toMatchObject({ number: 2 });
    expect(renewals).toHaveLength(2);
  });

  test("is returned again after a refusal if renewing yields the same", async () => {
    const { renewals, token } = bench();
    const answer = token(asker(), () => true);
    renewals[0]?.end(1);
    expect(await answer).toMatchObject({ number: 1 });
  });

  test("fails for all waiting callers, and is fetched again after that", async () => {
    const { renewals, token } = bench();
    const failures = [token(asker()), token(asker())].map((each) => failureOf(each));
    renewals[0]?.end(error("NO_ANSWER"));
    expect(await Promise.all(failures)).toMatchObject([
      { code: "NO_ANSWER" },
      { code: "NO_ANSWER" },
    ]);
    const again = token(asker());
    renewals[1]?.end(3);
    expect(await again).toMatchObject({ number: 3 });
  });

  test("is fetched again after a renewal that failed before it began", async () => {
    let number = 0;
    const { token } = bench({
      renew: () => {
        number += 1;
        if (number === 1) throw new Error("not even begun");
        return Promise.resolve({ number, expiresAt: Infinity });
      },
    });
    expect(await failureOf(token(asker()))).toMatchObject({ message: "not even begun" });
    expect(await token(asker())).toMatchObject({ number: 2 });
  });

  test.each(["CANCELLED", "DEADLINE"] as const)(
    "is fetched by the waiting callers when the first one times out: %s",
    async (code) => {
      const { renewals, token } = bench();
      const first = failureOf(token(asker()));
      const own = asker();
      const others = [token(own), token(asker())];
      renewals[0]?.end(error(code));
      expect(await first).toMatchObject({ code });
      await turn();
      expect(renewals).toHaveLength(2);
      expect(renewals[1]?.asker).toBe(own);
      renewals[1]?.end(5);
      expect(await Promise.all(others)).toMatchObject([{ number: 5 }, { number: 5 }]);
    },
  );

  test("is fetched by the waiting callers when the first one is cancelled, regardless of its error", async () => {
    const { renewals, token } = bench();
    const abort = new AbortController();
    const first = failureOf(token(asker(abort.signal)));
    const second = token(asker());
    abort.abort();
    renewals[0]?.end(new Error("the helper was ended"));
    expect(await first).toMatchObject({ message: "the helper was ended" });
    await turn();
    renewals[1]?.end(5);
    expect(await second).toMatchObject({ number: 5 });
  });

  test("is not awaited by cancelled callers", async () => {
    const { renewals, token } = bench();
    const first = token(asker());
    const abort = new AbortController();
    const second = failureOf(token(asker(abort.signal)));
    const third = failureOf(token(asker(AbortSignal.abort())));
    abort.abort();
    expect(await second).toMatchObject({ code: "CANCELLED" });
    expect(await third).toMatchObject({ code: "CANCELLED" });
    renewals[0]?.end(1);
    expect(await first).toMatchObject({ number: 1 });
  });
});

import { RememberedAnswers } from "../../../src/planner/offline-plan/provider-calls";

const bytes = (text: string): Uint8Array => Buffer.from(text);

describe("RememberedAnswers", () => {
  it("asks each question once, until it forgets", async () => {
    const answers = new RememberedAnswers<number>();
    let asked = 0;
    const ask = (...question: readonly string[]): Promise<number> =>
      answers.answer(question.map(bytes), () => Promise.resolve(++asked));
    expect(await ask("plan", "a")).toBe(1);
    expect(await ask("plan", "a")).toBe(1);
    expect(await ask("plan", "b")).toBe(2);
    expect(await ask("pl", "ana")).toBe(3);
    answers.forget();
    expect(await ask("plan", "a")).toBe(4);
  });

  it("asks again after a minute", async () => {
    jest.useFakeTimers();
    try {
      const answers = new RememberedAnswers<number>();
      let asked = 0;
      const ask = (): Promise<number> =>
        answers.answer([bytes("a")], () => Promise.resolve(++asked));
      await ask();
      jest.advanceTimersByTime(59_000);
      expect(await ask()).toBe(1);
      jest.advanceTimersByTime(2_000);
      expect(await ask()).toBe(2);
    } finally {
      jest.useRealTimers();
    }
  });

  it("does not remember a failure", async () => {
    const answers = new RememberedAnswers<number>();
    await expect(
      answers.answer([bytes("a")], () => Promise.reject(new Error("failed"))),
    ).rejects.toThrow("failed");
    expect(await answers.answer([bytes("a")], () => Promise.resolve(1))).toBe(1);
  });
});

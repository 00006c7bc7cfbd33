import { runSideBySide } from "../../../src/cli/deploy/run-stacks";

/** Items that end when the test says so. */
class Jobs {
  readonly started: string[] = [];
  readonly #ends = new Map<string, (failure?: Error) => void>();

  readonly run = (name: string): Promise<string> => {
    this.started.push(name);
    return new Promise((resolve, reject) => {
      this.#ends.set(name, (failure) => {
        if (failure === undefined) resolve(`${name} ended`);
        else reject(failure);
      });
    });
  };

  async end(name: string, failure?: Error): Promise<void> {
    this.#ends.get(name)?.(failure);
    await new Promise(setImmediate);
  }
}

/** Each letter comes before the same one with a number. */
const comesBefore = (first: string, second: string): boolean => second.startsWith(first);

it("runs as many at the same time as is allowed, and each after those before it", async () => {
  const jobs = new Jobs();
  const all = runSideBySide(["a", "a1", "b", "c"], 2, comesBefore, jobs.run);
  expect(jobs.started).toEqual(["a", "b"]);
  await jobs.end("b");
  expect(jobs.started).toEqual(["a", "b", "c"]);
  await jobs.end("a");
  expect(jobs.started).toEqual(["a", "b", "c", "a1"]);
  await jobs.end("a1");
  await jobs.end("c");
  expect(await all).toEqual(["a ended", "a1 ended", "b ended", "c ended"]);
});

it("waits for what runs if one throws, and starts nothing more", async () => {
  const jobs = new Jobs();
  let isSettled = false;
  const all = runSideBySide(["a", "b", "c"], 2, comesBefore, jobs.run).finally(() => {
    isSettled = true;
  });
  const outcome = expect(all).rejects.toThrow("broken");
  await jobs.end("a", new Error("broken"));
  expect(isSettled).toBe(false);
  await jobs.end("b");
  await outcome;
  expect(jobs.started).toEqual(["a", "b"]);
});

it("cuts circles", async () => {
  const jobs = new Jobs();
  const all = runSideBySide(["a", "b"], 2, () => true, jobs.run);
  await jobs.end("a");
  await jobs.end("b");
  expect(await all).toHaveLength(2);
  expect(await runSideBySide([], 2, comesBefore, jobs.run)).toEqual([]);
});

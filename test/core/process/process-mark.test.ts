import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  factsFromPs,
  isProcessAlive,
  processFacts,
  processMark,
} from "../../../src/core/process/process-facts";
import { makeZombie, type Zombie } from "./zombie";

const children: ChildProcess[] = [];
let zombie: Zombie | undefined;

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  zombie?.remove();
  zombie = undefined;
});

async function child(): Promise<ChildProcess & { readonly pid: number }> {
  const started = spawn("sleep", ["600"], { stdio: "ignore" });
  children.push(started);
  await once(started, "spawn");
  if (started.pid === undefined) throw new Error("sleep was not started");
  return Object.assign(started, { pid: started.pid });
}

test("this process, a child and process 1 are alive", async () => {
  expect(isProcessAlive(processMark())).toBe(true);
  expect(isProcessAlive(processMark((await child()).pid))).toBe(true);
  expect(isProcessAlive(processMark(1))).toBe(true);
});

test("a process is alive by its ID if nothing else is known", () => {
  expect(isProcessAlive({ pid: 1, start: undefined })).toBe(true);
  expect(isProcessAlive({ pid: 99_999_999, start: undefined })).toBe(false);
});

test("a process that has ended is not alive", async () => {
  const started = await child();
  const mark = processMark(started.pid);
  started.kill("SIGKILL");
  await once(started, "exit");
  expect(isProcessAlive(mark)).toBe(false);
});

test("a zombie is not alive", async () => {
  zombie = await makeZombie();
  expect(isProcessAlive({ pid: zombie.pid, start: undefined })).toBe(false);
  expect(isProcessAlive(processMark(zombie.pid))).toBe(false);
});

test("a process whose ID was reused is not alive", () => {
  const { start } = processMark();
  expect(start).toBeDefined();
  expect(isProcessAlive({ pid: 1, start })).toBe(false);
});

test.each([0, -1, -process.pid, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])(
  "%d is not a process ID",
  (pid) => {
    expect(isProcessAlive({ pid, start: undefined })).toBe(false);
  },
);

test("the mark of a process stays the same, and is one line", async () => {
  const { pid } = await child();
  expect(processMark(pid)).toEqual(processMark(pid));
  expect(processMark(pid)).not.toEqual({ ...processMark(), pid });
  expect(processMark(pid).start).toMatch(/^\S.*$/);
});

describe("without /proc, ps is used", () => {
  test("and reports the same", async () => {
    zombie = await makeZombie();
    for (const pid of [process.pid, 1, zombie.pid]) {
      expect(factsFromPs(pid)?.isZombie).toBe(processFacts(pid)?.isZombie);
      expect(factsFromPs(pid)?.start).toMatch(/^\w{3} \w{3} .+ \d{4}$/);
    }
  });

  test("and reports nothing about a missing process", () => {
    expect(factsFromPs(99_999_999)).toBeUndefined();
    expect(processFacts(99_999_999)).toBeUndefined();
  });
});

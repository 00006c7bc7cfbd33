import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { processMark } from "../../../../src/core/process/process-facts";
import { announceIdle } from "../../../../src/core/provider-kit/records/idle";
import { createLogger } from "../../../../src/core/provider-kit/records/logging";
import { IntentJournal } from "../../../../src/core/provider-kit/records/intent-journal";

const minuteMs = 60_000;

/** Above the highest PID of any kernel. */
const deadPid = 99_999_999;

/** Process 1 exists as long as the machine runs. */
const livePid = 1;

const given = "0b7f3c52-9d1e-4c6a-8f2b-5e4d3c2b1a09";

let home: string;
let now = 0;
let lines: string[];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "journal-"));
  now = Date.parse("2026-03-01T12:00:00Z");
  lines = [];
});

afterEach(() => rm(home, { recursive: true, force: true }));

const log = () =>
  createLogger({ name: "test", env: { TF_LOG: "warn" }, write: (line) => void lines.push(line) });

/** The working folder of a root module. */
const stack = "/stacks/first";

const journal = (folder = join(home, "intents"), workingFolder = stack) =>
  new IntentJournal({ folder, workingFolder, log: log(), now: () => now });

const files = async (): Promise<string[]> => {
  const folder = join(home, "intents");
  return (await readdir(folder)).map((name) => join(folder, name));
};

/** Changes an entry, as if another process had recorded it. */
async function rewrite(change: object, path?: string): Promise<void> {
  const [file = ""] = path === undefined ? await files() : [path];
  const entry = JSON.parse(await readFile(file, "utf8")) as object;
  await writeFile(file, JSON.stringify({ ...entry, ...change }));
}

const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

test("an intent is a new request ID, removed when it is settled", async () => {
  const intent = await journal().begin("a");
  expect(intent).toMatchObject({
    isRepeat: false,
    requestId: expect.stringMatching(uuid) as string,
  });
  expect(await files()).toHaveLength(1);
  await intent.settle();
  expect(await files()).toEqual([]);
  await intent.settle();
  const next = await journal().begin("a");
  expect(next.isRepeat).toBe(false);
  expect(next.requestId).not.toBe(intent.requestId);
  expect(lines).toEqual([]);
});

test("the intent of a dead process is taken over, with its start time", async () => {
  const first = await journal().begin("a");
  await rewrite({ pid: deadPid });
  now += 59 * minuteMs;
  const second = await journal().begin("a");
  expect(second).toMatchObject({ isRepeat: true, requestId: first.requestId });
  await rewrite({ pid: deadPid });
  now += 2 * minuteMs;
  expect(await journal().begin("a")).toMatchObject({ isRepeat: false });
});

test("an abandoned intent is taken over in the same process, which may serve several commands", async () => {
  const first = await journal().begin("a");
  expect((await journal().begin("b")).isRepeat).toBe(false);
  first.abandon();
  expect(await journal().begin("a")).toMatchObject({ isRepeat: true, requestId: first.requestId });
});

test("a completed intent is kept until it is confirmed, and repeated if the process dies before", async () => {
  const first = await journal().begin("a");
  first.complete();
  await journal().confirm("b");
  expect(await files()).toHaveLength(1);
  const beside = await journal().begin("a");
  expect(beside.isRepeat).toBe(false);
  await beside.settle();
  expect(await files()).toHaveLength(1);
  await journal().forget("a");
  expect(await files()).toEqual([]);

  const second = await journal().begin("a");
  second.complete();
  await rewrite({ pid: deadPid });
  const third = await journal().begin("a");
  third.complete();
  expect(await files()).toHaveLength(1);
  await journal().confirm("a");
  expect(await files()).toEqual([]);
  expect(third).toMatchObject({ requestId: second.requestId, isRepeat: true });
});

test("what was completed can be repeated in the same process once no command is connected", async () => {
  const first = await journal().begin("a");
  first.complete();
  const running = await journal().begin("b");
  announceIdle();
  const next = await journal().begin("a");
  expect(next).toMatchObject({ isRepeat: true, requestId: first.requestId });
  next.complete();
  expect(await journal().begin("b")).toMatchObject({ isRepeat: false });
  await running.settle();
  await journal().confirm("a");
  expect(await files()).toHaveLength(1);
});

test("an operation that was left is still known after the next run was killed", async () => {
  const first = await journal().begin("a");
  await first.leave("operations/1");
  expect(await journal().begin("a")).toMatchObject({ operation: "operations/1" });
  await rewrite({ pid: deadPid });
  expect(await journal().begin("a")).toMatchObject({ operation: "operations/1" });
});

test("an earlier process with this one's ID is dead", async () => {
  const first = await journal().begin("a");
  await rewrite({ run: "another" });
  expect(await journal().begin("a")).toMatchObject({ isRepeat: true, requestId: first.requestId });
});

test("the intent of a process whose PID another process has now is taken over", async () => {
  const first = await journal().begin("a");
  await rewrite({ pid: livePid, run: "another" });
  expect(await journal().begin("a")).toMatchObject({ isRepeat: true, requestId: first.requestId });
});

test.each([
  ["this process, for a request that is under way", { pid: process.pid }],
  ["another process that runs", { ...processMark(livePid), run: "another" }],
  ["another that an earlier version noted", { pid: livePid, start: undefined, run: "another" }],
])("an intent recorded by %s is not taken over, changed or removed", async (_name, change) => {
  const first = await journal().begin("a");
  await rewrite(change);
  const [file = ""] = await files();
  const before = await readFile(file, "utf8");
  const second = await journal().begin("a");
  expect(second.isRepeat).toBe(false);
  expect(second.requestId).not.toBe(first.requestId);
  expect(await files()).toHaveLength(2);
  await second.settle();
  await journal().forget("a");
  expect(await files()).toEqual([file]);
  expect(await readFile(file, "utf8")).toBe(before);
});

test("a request that is refused beside that of another process leaves it to the next run", async () => {
  const other = spawn(process.execPath, ["-e", "process.stdin.resume()"]);
  const ended = once(other, "exit");
  try {
    const first = await journal().begin("a", given);
    await rewrite({ ...processMark(other.pid), run: "another" });
    for (const each of [undefined, given]) {
      const refused = await journal().begin("a", each);
      expect(refused.isRepeat).toBe(false);
      await refused.settle();
    }
    const completed = await journal().begin("a");
    completed.complete();
    await journal().confirm("a");
    other.kill("SIGKILL");
    await ended;
    const next = await journal().begin("a");
    expect(next).toMatchObject({ isRepeat: true, requestId: first.requestId });
    await next.settle();
    expect(await files()).toEqual([]);
  } finally {
    other.kill("SIGKILL");
  }
});

test("of several dead processes, the first one's request is repeated, then the next one's", async () => {
  const first = await journal().begin("a");
  now += minuteMs;
  const second = await journal().begin("a");
  for (const file of await files()) await rewrite({ pid: deadPid }, file);
  const third = await journal().begin("a");
  expect(third).toMatchObject({ isRepeat: true, requestId: first.requestId });
  await third.settle();
  const fourth = await journal().begin("a");
  expect(fourth).toMatchObject({ isRepeat: true, requestId: second.requestId });
  await fourth.settle();
  expect(await files()).toEqual([]);
});

test("an operation that was left is continued before a request of unknown outcome", async () => {
  const refused = await journal().begin("a");
  now += minuteMs;
  const left = await journal().begin("a");
  await left.leave("operations/1");
  refused.abandon();
  expect(await journal().begin("a")).toMatchObject({ operation: "operations/1" });
});

test("an operation that was left is continued by one run, also while the process that left it lives", async () => {
  const first = await journal().begin("a");
  await first.leave("operations/1");
  await rewrite({ ...processMark(livePid), run: "another" });
  expect(await journal().begin("a")).toMatchObject({ operation: "operations/1" });
  await rewrite({ ...processMark(livePid), run: "another" });
  expect(await journal().begin("a")).toMatchObject({ isRepeat: false, operation: undefined });
  expect(await files()).toHaveLength(2);
});

test("the intent of a deleted resource is removed, whichever process recorded it", async () => {
  await journal().begin("a");
  await rewrite({ pid: deadPid });
  await journal().forget("a");
  expect(await files()).toEqual([]);
  await journal().forget("a");
  expect(lines).toEqual([]);
});

test("settling removes only the process's own intent", async () => {
  const first = await journal().begin("a");
  const second = await journal().begin("a");
  await first.settle();
  expect(await files()).toHaveLength(1);
  await second.settle();
  expect(await files()).toEqual([]);
});

test.each([
  [60, false],
  [-1, false],
  [0, true],
])("after %d minutes a request is a repeat: %p", async (minutes, isRepeat) => {
  await journal().begin("a");
  await rewrite({ pid: deadPid });
  now += minutes * minuteMs;
  expect(await journal().begin("a")).toMatchObject({ isRepeat });
});

test("each key has its own intent", async () => {
  const a = await journal().begin("a");
  const b = await journal().begin("b");
  expect(a.requestId).not.toBe(b.requestId);
  await rm((await files())[0] ?? "");
  expect(await files()).toHaveLength(1);
});

test.each([
  "",
  "{",
  "null",
  "[]",
  '{"key":"a"}',
  `{"key":"a","requestId":"${given}","startedAt":0,"pid":1,"run":""}`,
  `{"workingFolder":"${stack}","key":"b","requestId":"${given}","startedAt":0,"pid":1,"run":""}`,
  `{"workingFolder":"/other","key":"a","requestId":"${given}","startedAt":0,"pid":1,"run":""}`,
])("a file that contains %j is ignored", async (text) => {
  await journal().begin("a");
  const [file = ""] = await files();
  await writeFile(file, text);
  const intent = await journal().begin("a");
  expect(intent.isRepeat).toBe(false);
  await intent.settle();
  expect(await files()).toEqual([]);
});

describe("another working folder", () => {
  const other = () => journal(undefined, "/stacks/other");

  test.each([
    ["the intent of a dead process", undefined],
    ["an operation that was left", "operations/1"],
  ])("does not get %s, and does not remove it", async (_name, operation) => {
    const first = await journal().begin("a");
    if (operation !== undefined) await first.leave(operation);
    await rewrite({ pid: deadPid });
    const foreign = await other().begin("a");
    expect(foreign).toMatchObject({ isRepeat: false, operation: undefined });
    expect(foreign.requestId).not.toBe(first.requestId);
    await foreign.settle();
    await other().forget("a");
    expect(await journal().begin("a")).toMatchObject({
      isRepeat: true,
      requestId: first.requestId,
    });
  });

  test("is by default one that the process is not in", async () => {
    const folder = join(home, "intents");
    const here = () => new IntentJournal({ folder, log: log(), now: () => now });
    const first = await here().begin("a");
    await rewrite({ pid: deadPid });
    const { requestId } = first;
    expect(await journal().begin("a")).toMatchObject({ isRepeat: false });
    expect(await journal(undefined, process.cwd()).begin("a")).toMatchObject({ requestId });
  });
});

test("only the user can read it", async () => {
  await journal().begin("a");
  const [file = ""] = await files();
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await stat(join(home, "intents"))).mode & 0o777).toBe(0o700);
});

test("a folder that cannot be created disables the protection, not the operation", async () => {
  const file = join(home, "file");
  await writeFile(file, "");
  const intent = await journal(join(file, "intents")).begin("a");
  expect(intent).toMatchObject({
    isRepeat: false,
    requestId: expect.stringMatching(uuid) as string,
  });
  await expect(intent.settle()).resolves.toBeUndefined();
  expect(lines[0]).toContain("The intent journal cannot be written");
});

test("is in the user's state folder", async () => {
  const env = { XDG_STATE_HOME: join(home, "state") };
  await new IntentJournal({ env, log: log() }).begin("a");
  expect(await readdir(join(home, "state", "trivet", "intents"))).toHaveLength(1);
});

describe("an operation that is left", () => {
  test("is found by a later request, also in the same process, for a week", async () => {
    const first = await journal().begin("a");
    expect(await first.leave("operations/1")).toBe(true);
    now += 6 * 24 * 60 * minuteMs;
    const next = await journal().begin("a");
    const { requestId } = first;
    expect(next).toMatchObject({ isRepeat: true, operation: "operations/1", requestId });
    await next.leave("operations/1");
    now += 24 * 60 * minuteMs;
    expect(await journal().begin("a")).toMatchObject({ isRepeat: false, operation: undefined });
  });

  test("is not left where the journal cannot be written", async () => {
    await writeFile(join(home, "file"), "");
    const intent = await journal(join(home, "file")).begin("a");
    expect(await intent.leave("operations/1")).toBe(false);
  });
});

test("a given request ID is sent, whatever was sent before", async () => {
  const first = await journal().begin("a", given);
  expect(first).toMatchObject({ requestId: given, isRepeat: false });
  await rewrite({ pid: deadPid });
  expect(await journal().begin("a", "other")).toMatchObject({ requestId: "other", isRepeat: true });
});

describe("what others put into a shared journal", () => {
  test.each([
    "chosen-by-attacker\r\nX: y",
    `${given}\n`,
    ` ${given}`,
    `{${given}}`,
    given.replaceAll("-", ""),
    "",
    "../../etc",
  ])("the request ID %j is not sent", async (requestId) => {
    const first = await journal().begin("a");
    await rewrite({ pid: deadPid, requestId });
    const next = await journal().begin("a");
    expect(next).toMatchObject({
      isRepeat: false,
      requestId: expect.stringMatching(uuid) as string,
    });
    expect(next.requestId).not.toBe(first.requestId);
  });

  test.each<[string, (file: string) => Promise<unknown>]>([
    ["a pipe", async (file) => promisify(execFile)("mkfifo", [file])],
    ["a folder", (file) => mkdir(file)],
    ["a link to an entry", (file) => symlink(join(home, "entry"), file)],
    ["a link to nothing", (file) => symlink(join(home, "missing"), file)],
    ["an endless file", (file) => symlink("/dev/zero", file)],
    ["a large file", (file) => writeFile(file, "").then(() => truncate(file, 2 ** 40))],
  ])("%s in place of an entry neither delays a creation nor is read", async (_name, plant) => {
    await journal().begin("a");
    await rewrite({ pid: deadPid });
    const [file = ""] = await files();
    await rename(file, join(home, "entry"));
    await plant(file);
    expect(await journal().begin("a")).toMatchObject({ isRepeat: false });
  });
});

test("machines that share a journal continue each other's requests, whatever their folders", async () => {
  const env = { TRIVET_JOURNAL: join(home, "intents"), XDG_STATE_HOME: join(home, "unused") };
  const on = (workingFolder: string) =>
    new IntentJournal({ env, workingFolder, log: log(), now: () => now });
  const first = await on("/runner-1/cdktf.out/stacks/edge").begin("a");
  // The process has the number of one that is alive here.
  await rewrite({ host: "runner-1", pid: livePid, start: undefined });
  const other = await on("/runner-2/cdktf.out/stacks/other").begin("a");
  expect(other).toMatchObject({ isRepeat: false });
  const second = await on("/runner-2/cdktf.out/stacks/edge").begin("a");
  expect(second).toMatchObject({ isRepeat: true, requestId: first.requestId });
  await second.settle();
  await other.settle();
  expect(await files()).toEqual([]);
});

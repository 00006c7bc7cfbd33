import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { withBuildLock } from "../../../../src/local/workspace/state/build-lock";

const rounds = 25;
const contenders = 3;
const ended = "99999999\n";

const folder = mkdtempSync(join(tmpdir(), "trivet-lock-race-"));
const program = join(folder, "lock-contender.cjs");
const children: ChildProcess[] = [];
let state: string;

beforeAll(() => {
  buildSync({
    entryPoints: [join(__dirname, "lock-contender.ts")],
    outfile: program,
    bundle: true,
    platform: "node",
  });
});

beforeEach(() => {
  state = mkdtempSync(join(folder, "state-"));
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function startContender(...more: string[]): ChildProcess {
  const child = fork(program, [state, ...more]);
  children.push(child);
  return child;
}

async function answerTo(child: ChildProcess, message: string): Promise<unknown> {
  const answer = once(child, "message");
  child.send(message);
  const [received] = (await answer) as [unknown];
  return received;
}

test.each([
  ["a free lock", undefined],
  ["a lock whose process has ended", ended],
])("only one of several processes takes %s", async (_, held) => {
  const processes = Array.from({ length: contenders }, () => startContender());
  for (let round = 0; round < rounds; round++) {
    if (held !== undefined) writeFileSync(join(state, "lock"), held);
    const answers = await Promise.all(processes.map((child) => answerTo(child, "take")));
    expect([...answers].sort()).toEqual(["busy", "busy", "taken"]);
    const holder = processes[answers.indexOf("taken")];
    expect(holder && (await answerTo(holder, "release"))).toBe("released");
    expect(readdirSync(state)).toEqual([]);
  }
});

test("a process that is killed during the takeover does not block the lock", async () => {
  writeFileSync(join(state, "lock"), ended);
  const killed = startContender("rename");
  const [signal] = await Promise.race([
    once(killed, "exit").then(([, end]: unknown[]) => [end]),
    answerTo(killed, "take").then((answer) => [answer]),
  ]);
  expect(signal).toBe("SIGKILL");
  expect(readdirSync(state).length).toBeGreaterThan(1);
  await expect(withBuildLock(state, () => Promise.resolve("built"))).resolves.toBe("built");
  expect(readdirSync(state).filter((name) => !name.endsWith(".tmp"))).toEqual([]);
});

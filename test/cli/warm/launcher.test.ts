import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { launcherText } from "../../../src/cli/warm/launcher";
import { parseInvocation, RequestPipe } from "../../../src/cli/warm/with-warm-providers";
import type { TerraformInvocation } from "../../../src/cli/warm/warm-providers";
import {
  factsFromPs,
  type ProcessMark,
  processMark,
} from "../../../src/core/process/process-facts";
import { temporaryFolder } from "../temporary-folder";

/** More than a pipe holds. */
const large = "x".repeat(100_000);

/** A folder as `trivet exec --warm` makes it, and a tool. */
class Bench {
  readonly root = temporaryFolder();
  readonly folder = join(this.root, "it's a folder");
  readonly tool = join(this.root, "terraform");
  readonly pipe = join(this.folder, "requests");

  constructor() {
    mkdirSync(this.folder, { mode: 0o700 });
    mkdirSync(join(this.root, "bin"));
    const text = `#!/bin/sh\necho "real $# $1|$2|$3 \${TF_REATTACH_PROVIDERS-unset}"\necho "$request,$answer" >&9\n`;
    writeFileSync(this.tool, text, { mode: 0o700 });
  }

  /** Replaces `sleep`, so that no test waits. */
  sleep(text: string): void {
    writeFileSync(join(this.root, "bin", "sleep"), `#!/bin/sh\n${text}\n`, { mode: 0o700 });
  }

  makePipe(): void {
    execFileSync("mkfifo", ["-m", "600", this.pipe]);
  }

  /** Runs a launcher with descriptor 9 open, as after `flock 9`, and returns what the tool has printed. */
  async run(server: ProcessMark, { shell = "sh", platform = process.platform } = {}) {
    const launcher = join(this.root, "launcher");
    const { folder, pipe } = this;
    writeFileSync(launcher, launcherText({ folder, pipe, server }, this.tool, platform));
    const child = spawn("sh", ["-c", `${shell} "$0" "$@" 9>&2`, launcher, "plan", "", "a \"b'\n"], {
      stdio: ["ignore", "pipe", "pipe"],
      cwd: this.root,
      env: {
        PATH: `${join(this.root, "bin")}:${process.env["PATH"] ?? ""}`,
        TF_VAR_secret: `hush\n${large}`,
        request: "mine",
        answer: "my own",
      },
    });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (data: Buffer) => (stdout += data.toString()));
    child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
    await new Promise((resolve) => child.once("close", resolve));
    return { stdout, stderr };
  }

  /** What is left of requests. */
  left(): readonly string[] {
    return readdirSync(this.folder).filter((name) => name !== "requests");
  }
}

const cold = { stdout: `real 3 plan||a "b'\n unset\n`, stderr: "mine,my own\n" };

describe.each(["sh", "bash"])("a launcher in %s", (shell) => {
  test("passes everything on through pipes of the user, and leaves nothing", async () => {
    const bench = new Bench();
    const asked: TerraformInvocation[] = [];
    const modes: number[] = [];
    const pipe = new RequestPipe(bench.folder, (invocation) => {
      asked.push(invocation);
      for (const name of bench.left()) {
        const stats = statSync(join(bench.folder, name));
        modes.push(stats.isFIFO() ? stats.mode & 0o777 : -1);
      }
      return Promise.resolve('{"a":1}');
    });
    const { stdout, stderr } = await bench.run(pipe.place.server, { shell });
    expect(stdout).toBe(cold.stdout.replace("unset", '{"a":1}'));
    expect(stderr).toBe(cold.stderr);
    expect(modes).toEqual([0o600, 0o600]);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ calledIn: bench.root, args: ["plan", "", "a \"b'\n"] });
    expect(asked[0]?.env).toMatchObject({
      TF_VAR_secret: `hush\n${large}`,
      request: "mine",
      answer: "my own",
    });
    while (bench.left().length > 0) await new Promise(setImmediate);
    pipe.close();
  });

  test.each([
    ["linux", () => processMark()],
    ["darwin", () => ({ pid: process.pid, start: factsFromPs(process.pid)?.start })],
  ] as const)("sees that its server lives: %s", async (platform, mark) => {
    const bench = new Bench();
    const answered = new RequestPipe(bench.folder, () => Promise.resolve("yes"));
    const { stdout } = await bench.run(mark(), { shell, platform });
    answered.close();
    expect(stdout).toContain(" yes\n");
  });

  test.each(["linux", "darwin"] as const)(
    "starts its tool if another process has the PID of its server: %s",
    async (platform) => {
      const bench = new Bench();
      bench.makePipe();
      bench.sleep("exit 1");
      const server = { pid: process.pid, start: "another time" };
      expect(await bench.run(server, { shell, platform })).toEqual(cold);
      expect(bench.left()).toEqual([]);
    },
  );

  test("starts its tool after a number of looks if its server does not answer", async () => {
    const bench = new Bench();
    bench.makePipe();
    bench.sleep(`echo >>'${join(bench.root, "looks")}'`);
    expect(await bench.run(processMark(), { shell })).toEqual(cold);
    expect(readFileSync(join(bench.root, "looks"), "utf8")).toHaveLength(120);
    expect(bench.left().filter((name) => !statSync(join(bench.folder, name)).isFIFO())).toEqual([]);
  });

  test("starts its tool if its server is killed meanwhile", async () => {
    const bench = new Bench();
    bench.makePipe();
    const server = spawn("tail", ["-f", "/dev/null"], { stdio: "ignore" });
    const ended = new Promise((resolve) => server.once("close", resolve));
    bench.sleep(`kill -9 ${server.pid ?? 0}; while kill -0 ${server.pid ?? 0}; do :; done`);
    expect(await bench.run(processMark(server.pid), { shell })).toEqual(cold);
    await ended;
    expect(bench.left()).toEqual([]);
  });
});

test("a request is read when it is complete", () => {
  const text = ["/work", "3", "plan", "", "", "A=1", "B=x=\ny", "", ""].join("\0");
  for (let length = 0; length < text.length; length++) {
    expect(parseInvocation(7, text.slice(0, length))).toBeUndefined();
  }
  const args = ["plan", "", ""];
  const env = { A: "1", B: "x=\ny" };
  expect(parseInvocation(7, text)).toEqual({ pid: 7, calledIn: "/work", args, env });
});

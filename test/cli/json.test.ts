import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { TrivetFixture, printed } from "./command-fixture";

/** What every command with `--json` prints when it fails. */
const failure = (message: string, exitCode: number) => ({
  error: {
    message: expect.stringContaining(message) as string,
    fix: expect.stringMatching(/\S/) as string,
    exitCode,
  },
});

describe("with --json", () => {
  const trivet = new TrivetFixture();

  it("`install` prints what it installed", async () => {
    const { code, stdout } = await trivet.run(["install", "--dir", "mirror", "--json"]);
    expect(code).toBe(0);
    const mirror = join(trivet.root, "mirror");
    expect(JSON.parse(stdout)).toMatchObject({
      mirror,
      providers: [
        {
          name: "ids",
          version: "0.0.1-dev",
          source: "trivet.local/trivet/ids",
          outcome: "installed",
          removed: [],
          folder: expect.stringContaining(mirror) as string,
        },
      ],
    });
  });

  it("`doctor` prints its report, and ends with 1 for a problem", async () => {
    const ids = { ids: { source: "trivet.local/trivet/ids", version: "0.0.1-dev" } };
    const main = { terraform: { required_providers: ids } };
    writeFileSync(join(trivet.root, "main.tf.json"), JSON.stringify(main));
    const { code, stdout } = await trivet.run(["doctor", "--dir", "empty", "--json"]);
    const report = JSON.parse(stdout) as { problems: number; observations: unknown[] };
    expect(code).toBe(1);
    expect(report.problems).toBeGreaterThan(0);
    expect(report.observations).toContainEqual({
      status: "problem",
      message: expect.stringContaining("is not installed in") as string,
      fix: expect.stringContaining("trivet install") as string,
    });
  });

  it.each([
    [["local", "ids"], "cloud_ids_custom_endpoint", ["url"]],
    [["local", "signing"], "environment", ["addresses", "registry"]],
  ])("%j prints where it listens", async (command, last, path) => {
    const started = trivet.start([...command, "--port", "0", "--json", "--quiet"]);
    await printed(started, last);
    await printed(started, "\n}\n");
    let found: unknown = JSON.parse(started.stdout());
    for (const name of path) found = (found as Record<string, unknown>)[name];
    expect(found).toMatch(/^http:\/\/127\.0\.0\.1:\d+/);
    started.child.kill("SIGTERM");
    expect(await started.ended).toMatchObject({ code: 0, stderr: "" });
  });

  it.each([
    [["install", "--dir", "/dev/null/mirror"], "/dev/null is a file", 1],
    [["install", "--provider", "nothing"], "does not exist", 2],
    [["init", "--package", "0.1.0"], "The kind of the project is missing", 2],
    [["local", "ids", "--state-file", "/dev/null/state.json"], "/dev/null/state.json", 1],
    [["local", "ids", "--port", "many"], "must be an integer", 2],
    [["local", "signing", "--folder", "/dev/null/keys"], "/dev/null/keys", 1],
    [["local", "workspace", "stop", "."], "does not exist", 1],
    [["local", "workspace", "start", ".", "--parameter", "a"], "must be name=value", 2],
  ])("%j prints why it failed", async (args, message, code) => {
    const ended = await trivet.run([...args, "--json"], { TF_CLI_CONFIG_FILE: "/dev/null" });
    expect(ended.code).toBe(code);
    expect(JSON.parse(ended.stdout)).toEqual(failure(message, code));
    expect(ended.stderr).toContain(message);
    expect(ended.stderr).not.toMatch(/\n\s+at /);
  });

  it("the option of another program is not ours", async () => {
    const { stdout } = await trivet.run(["exec", "no-such-command-here", "--json"]);
    expect(stdout).toBe("");
  });
});

describe("a file that a local back end cannot use", () => {
  const trivet = new TrivetFixture();

  it("is named, without a stack trace, before it serves", async () => {
    const state = join(trivet.root, "state.json");
    writeFileSync(state, "{");
    for (const [file, reason] of [
      [state, "is not a state file of the local back end"],
      [trivet.root, "EISDIR"],
      ["/dev/null/state.json", "ENOTDIR"],
    ] as const) {
      const { code, stdout, stderr } = await trivet.run(["local", "ids", "--state-file", file]);
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toContain(file);
      expect(stderr).toContain(reason);
      expect(stderr).not.toMatch(/\n\s+at /);
    }
  });
});

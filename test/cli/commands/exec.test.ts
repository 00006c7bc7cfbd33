import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TrivetFixture, printed } from "../command-fixture";

describe("trivet exec", () => {
  const trivet = new TrivetFixture();
  const node = process.execPath;

  it("installs missing providers and gives the command a configuration that is removed afterwards", async () => {
    const script = `
      const { readFileSync, statSync } = require("node:fs");
      const path = process.env.TF_CLI_CONFIG_FILE;
      const mode = (statSync(path).mode & 0o777).toString(8);
      const { CDKTF_SKIP_PROVIDER_LOCK, CHECKPOINT_DISABLE } = process.env;
      console.log(JSON.stringify({ path, mode, CDKTF_SKIP_PROVIDER_LOCK, CHECKPOINT_DISABLE,
        text: readFileSync(path, "utf8") }));`;
    const { code, stdout, stderr } = await trivet.run(["exec", "--", node, "-e", script]);
    const seen = JSON.parse(stdout) as Record<string, string>;
    const mirror = join(trivet.home, ".terraform.d", "plugins");
    expect(code).toBe(0);
    expect(seen).toMatchObject({
      mode: "600",
      CDKTF_SKIP_PROVIDER_LOCK: "true",
      CHECKPOINT_DISABLE: "1",
    });
    expect(seen["text"]).toContain(JSON.stringify(mirror));
    expect(existsSync(seen["path"] ?? "")).toBe(false);
    expect(stderr).toContain("installed the provider ids 0.0.1-dev");
    expect(existsSync(join(mirror, "trivet.local/trivet/ids/0.0.1-dev"))).toBe(true);
  });

  it("keeps the settings of the user's configuration", async () => {
    const own = join(trivet.home, "own.rc");
    writeFileSync(own, 'credentials "app.example.com" {\n  token = "t"\n}\n');
    const { stdout } = await trivet.run(["exec", "--", "sh", "-c", 'cat "$TF_CLI_CONFIG_FILE"'], {
      TF_CLI_CONFIG_FILE: own,
    });
    expect(stdout).toContain('credentials "app.example.com"');
    expect(stdout).toContain("filesystem_mirror");
  });

  it.each([
    ["its exit code", "exit 7", 7],
    ["128 + n when a signal ended it", "kill -TERM $$", 143],
  ])("passes on %s", async (_, script, code) => {
    expect(await trivet.run(["exec", "--", "sh", "-c", script])).toMatchObject({ code });
  });

  it("gives options after -- to the command", async () => {
    const { stdout } = await trivet.run(["exec", "--", "echo", "--dir", "x", "--help"]);
    expect(stdout).toBe("--dir x --help\n");
  });

  it("ends with 127 if the command does not exist", async () => {
    const { code, stderr } = await trivet.run(["exec", "--", "no-such-command-here"]);
    expect(code).toBe(127);
    expect(stderr).toContain('The command "no-such-command-here" does not exist');
  });

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "passes %s on once and waits for the command to end",
    async (signal) => {
      const script = `
        let count = 0;
        process.on("${signal}", () => {
          count++;
          setTimeout(() => { console.log("got " + count); process.exit(9); }, 50);
        });
        setInterval(() => {}, 1000);
        console.log("ready");`;
      const started = trivet.start(["exec", "--", node, "-e", script]);
      await printed(started, "ready");
      started.child.kill(signal);
      const { code, stdout } = await started.ended;
      expect({ code, stdout }).toEqual({ code: 9, stdout: "ready\ngot 1\n" });
    },
  );

  it("refuses a configuration that terraform cannot read, under its own name", async () => {
    const own = join(trivet.home, ".terraformrc");
    writeFileSync(own, 'plugin_cache_dir = "/tmp\n');
    const { code, stdout, stderr } = await trivet.run(["exec", "--", "terraform", "version"]);
    rmSync(own);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(
      /\.terraformrc is not a valid CLI configuration: Error parsing .*\.terraformrc: At 1:25: literal/,
    );
    expect(stderr).not.toContain("terraform.rc");
  });

  it.each([
    ["a file where a folder should be", "/dev/null", "/dev/null is a file, not a folder."],
    ["a folder that cannot be created", "/sys/nothing", "/sys/nothing"],
  ])("names %s, without a stack trace", async (_, home, message) => {
    for (const args of [["install"], ["exec", "--", "true"]]) {
      const { code, stdout, stderr } = await trivet.run(args, { HOME: home });
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toContain("The providers cannot be installed in");
      expect(stderr).toContain(message);
      expect(stderr).toContain("--dir");
      expect(stderr).not.toMatch(/\n\s+at /);
    }
  });

  it("names a folder for temporary files that does not exist", async () => {
    const { code, stderr } = await trivet.run(["exec", "--", "true"], { TMPDIR: "/nowhere" });
    expect(code).toBe(1);
    expect(stderr).toContain("No temporary folder can be created in /nowhere");
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it("warns about a configuration in JSON, which it ignores", async () => {
    mkdirSync(trivet.home, { recursive: true });
    const own = join(trivet.home, "own.json");
    writeFileSync(own, '{"disable_checkpoint": true}');
    const { code, stderr } = await trivet.run(["exec", "--", "true"], { TF_CLI_CONFIG_FILE: own });
    expect(code).toBe(0);
    expect(stderr).toContain("is in JSON and is ignored");
    expect(readFileSync(own, "utf8")).toBe('{"disable_checkpoint": true}');
  });
});

import {
  chmodSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { withWarmProviders } from "../../../src/cli/warm/with-warm-providers";
import { TrivetFixture, printed } from "../command-fixture";

describe("trivet exec --warm", () => {
  const trivet = new TrivetFixture();
  const tools = join(trivet.home, "my tools");
  const temporary = join(trivet.home, "t");
  const PATH = `${tools}:${process.env["PATH"] ?? ""}`;

  beforeAll(() => {
    mkdirSync(tools);
    mkdirSync(temporary);
    for (const name of ["terraform", "tofu", "terraform-1.5"]) {
      const tool = join(tools, name);
      const text = `#!/bin/sh\necho "real $0: $# $1|$2|$3 \${TF_REATTACH_PROVIDERS-unset}"\ncat\n`;
      writeFileSync(tool, text, { mode: 0o755 });
    }
  });

  const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    trivet.run(["exec", "--warm", "--", ...args], { PATH, TMPDIR: temporary, ...env });

  it("starts the tool of PATH with its arguments and its input unchanged", async () => {
    const script = `echo input | terraform plan "a  b" "c'\\"$"`;
    const { code, stdout } = await run(["sh", "-c", script]);
    expect(stdout).toBe(`real ${tools}/terraform: 3 plan|a  b|c'"$ unset\ninput\n`);
    expect(code).toBe(0);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it.each([
    ["a name on PATH", "terraform-1.5", "terraform-1.5"],
    ["a path", "tofu", join(tools, "tofu")],
  ])("replaces %s in TERRAFORM_BINARY_NAME", async (_, name, value) => {
    const script = `case $(command -v "$TERRAFORM_BINARY_NAME") in "$TMPDIR"/*) echo launcher;; esac
      "$TERRAFORM_BINARY_NAME" plan`;
    const { stdout } = await run(["sh", "-c", script], { TERRAFORM_BINARY_NAME: value });
    expect(stdout).toBe(`launcher\nreal ${tools}/${name}: 1 plan|| unset\n`);
  });

  it("starts a tool that is called by its path", async () => {
    const { stdout } = await run([join(tools, "terraform"), "plan"]);
    expect(stdout).toBe(`real ${tools}/terraform: 1 plan|| unset\n`);
  });

  it("passes an invalid TF_REATTACH_PROVIDERS on: terraform says what is wrong with it", async () => {
    const { stdout } = await run(["terraform", "plan"], { TF_REATTACH_PROVIDERS: "{" });
    expect(stdout).toContain("1 plan|| {");
  });

  it("keeps its folder private, and answers many commands at once", async () => {
    const script = `folder=$(dirname "$(dirname "$(command -v terraform)")")
      ls -ld "$folder" | cut -c1-10
      for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do terraform plan </dev/null & done
      wait; looks=0
      while [ "$(ls "$folder" | wc -l)" -gt 2 ] && [ $looks -lt 600 ]; do sleep 0.1; looks=$((looks + 1)); done
      ls "$folder"`;
    const { stdout } = await run(["sh", "-c", script]);
    const [mode, ...lines] = stdout.trimEnd().split("\n");
    expect(mode).toBe("drwx------");
    expect(lines.filter((line) => line.startsWith("real"))).toHaveLength(20);
    // Nothing is left of the requests, which contain the environment.
    expect(lines.slice(20)).toEqual(["bin", "requests"]);
  });

  it("lets the tool start its providers itself when it has been killed", async () => {
    const script = `echo ready; while kill -0 $PPID; do sleep 0.05; done 2>/dev/null; terraform plan </dev/null`;
    const options = { PATH, TMPDIR: temporary };
    const started = trivet.start(["exec", "--warm", "--", "sh", "-c", script], options);
    await printed(started, "ready");
    started.child.kill("SIGKILL");
    expect((await started.ended).stdout).toContain(`real ${tools}/terraform: 1 plan|| unset`);
    for (const name of readdirSync(temporary)) rmSync(join(temporary, name), { recursive: true });
  });

  it.each([
    ["for which other users have rights", 0o777],
    ["for which the group has rights", 0o770],
  ])("refuses a TMPDIR %s, since they could replace its sockets", async (_, mode) => {
    const folder = join(trivet.home, `open-${mode}`);
    mkdirSync(folder);
    chmodSync(folder, mode);
    mkdirSync(join(folder, "own"), { mode: 0o700 });
    const link = `${folder}-link`;
    symlinkSync(join(folder, "own"), link);
    for (const TMPDIR of [folder, join(folder, "own"), link]) {
      const { code, stdout, stderr } = await run(["echo", "started"], { TMPDIR });
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toContain(
        `${realpathSync(folder)} is writable for other users and has no sticky bit.`,
      );
      expect(readdirSync(join(folder, "own"))).toEqual([]);
    }
    chmodSync(folder, 0o1777);
    expect(await run(["echo", "started"], { TMPDIR: folder })).toMatchObject({ code: 0 });
  });

  it("is refused on Windows", async () => {
    const started = withWarmProviders("terraform", {}, "win32", () => Promise.resolve(0));
    await expect(started).rejects.toMatchObject({
      message: "--warm needs a POSIX shell, which Windows does not have.",
      exitCode: 2,
    });
  });
});

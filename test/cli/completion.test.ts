import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { candidates, withStackNames } from "../../src/cli/completion/candidates";
import { everyCommand } from "../../src/cli/invocation/run-program";
import { createProgram } from "../../src/cli/program";
import { buildWhenStale, root } from "../e2e/support/build";
import { pathOf } from "./command-path";
import { temporaryFolder } from "./temporary-folder";

const wordsAfter = (...words: string[]) =>
  candidates(createProgram(), words).map(({ word }) => word);

describe("what can follow", () => {
  it("are the commands", () => {
    expect(wordsAfter("")).toEqual([
      "init",
      "install",
      "synth",
      "check",
      "lsp",
      "plan",
      "deploy",
      "destroy",
      "watch",
      "import",
      "convert",
      "exec",
      "local",
      "verify",
      "explain",
      "signing",
      "doctor",
      "completion",
      "help",
    ]);
    expect(wordsAfter("local", "w")).toEqual(["workspace"]);
    expect(wordsAfter("local", "ids", "--s")).toEqual(["--state-file"]);
    expect(wordsAfter("bogus", "")).toEqual([]);
  });

  it("are all options of each command, with their descriptions", () => {
    for (const command of everyCommand(createProgram())) {
      const found = candidates(createProgram(), [...pathOf(command), "--"]);
      const expected = command.options.flatMap(({ long }) => long ?? []);
      expect(found.map(({ word }) => word)).toEqual([...expected, "--help"]);
      for (const { help } of found) expect(help).toMatch(/^\S[^\n\t]+$/);
    }
  });

  it("are the values of an argument", () => {
    expect(wordsAfter("completion", "z")).toEqual(["zsh"]);
    expect(wordsAfter("explain", "endpoint-wi")).toEqual([
      "endpoint-without-network",
      "endpoint-without-severity",
    ]);
    expect(wordsAfter("init", "i")).toEqual(["ids"]);
    expect(wordsAfter("init", "ids", "--library", "cdktn", "")).toEqual([]);
    expect(wordsAfter("init", "--library", "")).toEqual(["cdktf", "cdktn"]);
  });

  it("is nothing where a file, a value or another program comes", () => {
    expect(wordsAfter("install", "--dir", "")).toEqual([]);
    expect(wordsAfter("local", "ids", "--port", "8")).toEqual([]);
    expect(wordsAfter("exec", "--", "ter")).toEqual([]);
    expect(wordsAfter("exec", "terraform", "--")).toEqual([]);
    expect(wordsAfter("deploy", "app", "--", "-tar")).toEqual([]);
  });

  it("are the options again after a value", () => {
    expect(wordsAfter("install", "--dir", "mirror", "--pl")).toEqual(["--platform"]);
    expect(wordsAfter("local", "workspace", "start", "x", "--pre")).toEqual(["--preset"]);
  });
});

describe("the stacks that were synthesized last", () => {
  const folder = temporaryFolder();
  const program = () => withStackNames(createProgram(), folder);
  const words = async (...typed: string[]) =>
    candidates(await program(), typed).map(({ word }) => word);

  it("are none without a project, or before the first synthesis", async () => {
    expect(await words("deploy", "")).toEqual([]);
    writeFileSync(join(folder, "cdktf.json"), '{"app": "exit 1", "output": "out"}');
    expect(await words("deploy", "")).toEqual([]);
  });

  it("can follow where stacks are named, with the options, if no shell would expand them", async () => {
    mkdirSync(join(folder, "out"));
    const stacks = ["network", "app-a", "app-b"].map((name) => [
      name,
      { name, workingDirectory: `stacks/${name}`, synthesizedStackPath: `stacks/${name}/x` },
    ]);
    for (const name of ["$(id)", "a b", "-x", "a;b", "~", "a'b", "é"]) {
      stacks.push([name, { name, workingDirectory: "x", synthesizedStackPath: "x/x" }]);
    }
    const manifest = { stacks: Object.fromEntries(stacks) as object };
    writeFileSync(join(folder, "out", "manifest.json"), JSON.stringify(manifest));
    expect(await words("deploy", "")).toEqual(["network", "app-a", "app-b", "é"]);
    expect(await words("plan", "network", "app")).toEqual(["app-a", "app-b"]);
    expect(await words("check", "n")).toEqual(["network"]);
    expect(await words("destroy", "network", "--auto")).toEqual(["--auto-approve"]);
    expect(await words("exec", "n")).toEqual([]);
    expect(await words("deploy", "app-a", "--", "n")).toEqual([]);
  });
});

/** Programs that print what a shell completes in $LINE, and how they are started. */
const shells: Readonly<Record<string, { readonly args: readonly string[]; readonly ask: string }>> =
  {
    bash: {
      args: ["--norc", "-c"],
      ask: `source <(trivet completion bash)
        COMP_WORDS=($LINE); [[ $LINE == *" " ]] && COMP_WORDS+=("")
        COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 )); _trivet; printf '%s\\n' "\${COMPREPLY[@]}"`,
    },
    zsh: {
      args: ["--no-rcs", "-c"],
      ask: `compdef() { : }; _files() { print files }; _describe() { print -l -- "\${(@P)2}" }
        source <(trivet completion zsh)
        words=(\${=LINE}); [[ $LINE == *" " ]] && words+=(""); CURRENT=\${#words}; _trivet`,
    },
    fish: {
      args: ["--no-config", "-c"],
      ask: `trivet completion fish | source; complete --do-complete "$LINE"`,
    },
  };

const present = Object.keys(shells).filter(
  (shell) => spawnSync(shell, ["-c", "exit 0"]).status === 0,
);

test("bash is installed, so that one script at least is tried", () => {
  expect(present).toContain("bash");
});

describe.each(present)("%s", (shell) => {
  const bin = join(temporaryFolder(), "bin");
  beforeAll(async () => {
    await buildWhenStale();
    mkdirSync(bin);
    const main = join(root, "dist", "src", "cli", "main.js");
    const script = `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`;
    writeFileSync(join(bin, "trivet"), script, { mode: 0o755 });
  });

  const completed = (line: string): string[] => {
    const { args = [], ask = "" } = shells[shell] ?? {};
    const env = {
      HOME: bin,
      LINE: line,
      TERM: "dumb",
      PATH: [bin, process.env["PATH"]].join(delimiter),
    };
    const { stdout, stderr } = spawnSync(shell, [...args, ask], { env, encoding: "utf8" });
    expect(stderr).toBe("");
    return stdout
      .trim()
      .split("\n")
      .map((found) => found.replace(/[\t:].*$/, ""));
  };

  test.each([
    ["trivet ins", ["install"]],
    ["trivet local ", ["ids", "signing", "workspace", "help"]],
    ["trivet install --dir x --pl", ["--platform"]],
    ["trivet completion f", ["fish"]],
  ])("completes `%s`", (line, expected) => {
    expect(completed(line).sort()).toEqual([...expected].sort());
  });
});

import type { Command } from "commander";
import { everyCommand } from "../../src/cli/invocation/run-program";
import { createProgram } from "../../src/cli/program";
import { createProviderProgram } from "../../src/cli/provider-program";
import { TrivetFixture } from "./command-fixture";

describe("the trivet command", () => {
  const trivet = new TrivetFixture();

  it.each([
    [[], ["init", "install", "exec", "local", "doctor", "Exit codes:", "130"]],
    [["init"], ["[kind] [folder]", "--library", "--package", "Kinds:", "Examples:"]],
    [["install"], ["--dir", "--provider", "--force", "Examples:"]],
    [["plan"], ["[stacks...]", "--var-file", "--json", "Examples:"]],
    [["deploy"], ["[stacks...]", "--auto-approve", "Ctrl-C", "Examples:"]],
    [["destroy"], ["[stacks...]", "--auto-approve", "Examples:"]],
    [["watch"], ["[stacks...]", "--auto-approve", "Ctrl-C", "Examples:"]],
    [["exec"], ["-- <command>", "TF_CLI_CONFIG_FILE", "Examples:"]],
    [
      ["local", "ids"],
      ["--port", "--polls", "--state-file", "Examples:"],
    ],
    [["doctor"], ["--dir", "Examples:"]],
  ])("explains %j with --help", async (command, parts) => {
    const { code, stdout } = await trivet.run([...command, "--help"]);
    expect(code).toBe(0);
    for (const part of parts) expect(stdout).toContain(part);
  });

  it("fits its help into 80 columns, for every command", () => {
    expect(wideHelp(createProgram())).toEqual([]);
  });

  it.each(["stop", "delete"])("offers for `local workspace %s` only what it uses", async (verb) => {
    const { stdout } = await trivet.run(["local", "workspace", verb, "--help"]);
    expect(stdout).toContain("--name");
    expect(stdout).not.toContain("--preset");
    if (verb === "delete") expect(stdout).not.toMatch(/--(parameter|secret|external)/);
  });

  it("says what a group of commands has instead of one that it does not have", async () => {
    const { code, stderr } = await trivet.run(["signing", "sign", "registry.example/app"]);
    expect(code).toBe(2);
    expect(stderr).toContain("To sign an image, deploy a signing.Sign.");
    expect(stderr).toContain("Commands: tree, sign-file, verify-file");
  });

  it("ends silently when its output is closed", async () => {
    const { child, ended } = trivet.start(["--help"]);
    child.stdout?.destroy();
    expect(await ended).toMatchObject({ code: 141, stderr: "" });
  });

  it("prints the version of the package", async () => {
    expect(await trivet.run(["--version"])).toMatchObject({ code: 0, stdout: "0.1.0\n" });
  });

  it.each([
    [["bogus"]],
    [["install", "--bogus"]],
    [["exec"]],
    [["local", "ids", "--port", "70000"]],
    [["local", "ids", "--polls", "many"]],
    [["local", "signing", "--quirk", "nothing"]],
    [["install", "--provider", "nothing"]],
    [["install", "--platform", "foo"]],
    [["plan", "--parallelism", "0"]],
    [["watch"]],
  ])("ends with 2 for %j", async (args) => {
    const { code, stderr } = await trivet.run(args);
    expect({ code, explained: stderr !== "" }).toEqual({ code: 2, explained: true });
  });
});

describe("the trivet-provider command", () => {
  const kit = new TrivetFixture({ main: "provider-main" });

  it("explains its commands, in 80 columns", async () => {
    const { code, stdout } = await kit.run(["--help"]);
    expect(code).toBe(0);
    for (const part of ["new ", "pack ", "Examples:", "Exit codes:"])
      expect(stdout).toContain(part);
    expect(wideHelp(createProviderProgram())).toEqual([]);
  });

  it.each([[["bogus"]], [["new"]], [["new", "no name"]], [["pack", "main.ts"]]])(
    "ends with 2 for %j",
    async (args) => {
      const { code, stderr } = await kit.run(args);
      expect({ code, explained: stderr !== "" }).toEqual({ code: 2, explained: true });
    },
  );
});

/** The lines in the help of all commands that are longer than a narrow terminal. */
function wideHelp(program: Command): readonly string[] {
  return everyCommand(program).flatMap((command) => {
    let help = "";
    command.configureOutput({ writeOut: (text) => (help += text), getOutHelpWidth: () => 80 });
    command.outputHelp();
    expect(help).toContain("Usage: ");
    return help.split("\n").filter((line) => line.length > 80);
  });
}

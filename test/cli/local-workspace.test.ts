import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TrivetFixture } from "./command-fixture";
import { temporaryFolder } from "./temporary-folder";

describe("trivet local workspace", () => {
  const trivet = new TrivetFixture();
  const workspace = (...args: string[]) =>
    trivet.start(["local", "workspace", ...args], { TF_CLI_CONFIG_FILE: "/dev/null" });

  function template(configuration = `resource "terraform_data" "a" {}`): string {
    const folder = join(temporaryFolder(), "template");
    mkdirSync(folder);
    writeFileSync(join(folder, "main.tf"), configuration);
    return folder;
  }

  it("starts a workspace and deletes it, with the state among the user's", async () => {
    const folder = template();
    const started = await workspace("start", folder, "--name", "blue", "--owner", "ada").ended;
    expect(started).toMatchObject({ code: 0 });
    expect(started.stdout).toContain('The workspace "blue" of "ada" runs: it took 1 to create.');
    expect(started.stdout).toContain(`State: ${trivet.home}/.local/state/trivet/local-workspace/`);
    expect(started.stderr).toContain("terraform_data.a: Plan to create");
    const args = ["delete", folder, "--name", "blue", "--json", "--quiet"];
    const { code, stdout, stderr } = await workspace(...args).ended;
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toMatchObject({ changes: [{ action: "delete" }] });
  });

  it("says what is wrong and the way out", async () => {
    const { code, stderr } = await workspace("stop", template()).ended;
    expect(code).toBe(1);
    expect(stderr).toBe('trivet: There is no workspace "dev".\nStart it first.\n');
  });

  it("refuses a parameter without a value", async () => {
    const { code, stderr } = await workspace("start", "x", "--parameter", "region").ended;
    expect(code).toBe(2);
    expect(stderr).toContain("a name, an equals sign, and a value");
  });

  it("ends Terraform in order at Ctrl-C and says that it was interrupted", async () => {
    const folder = template(
      `resource "terraform_data" "slow" {
        provisioner "local-exec" { command = "echo begun; sleep 60" }
      }`,
    );
    const { child, ended } = workspace("start", folder);
    let interrupted = false;
    child.stderr?.on("data", (text: Buffer) => {
      if (interrupted || !text.toString().includes("begun")) return;
      interrupted = true;
      child.kill("SIGINT");
    });
    const { code, stderr } = await ended;
    expect(code).toBe(130);
    expect(stderr).toContain("trivet: The build was interrupted.");
  });
});

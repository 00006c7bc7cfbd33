import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildEnvironment } from "../../../src/core/workspace/build/build-environment";
import { RecordingTerraform } from "../../local/workspace/recording-terraform";
import { TrivetFixture } from "../command-fixture";
import { temporaryFolder } from "../temporary-folder";

describe("trivet local workspace", () => {
  const trivet = new TrivetFixture();
  const workspaceIn = (env: NodeJS.ProcessEnv, ...args: string[]) =>
    trivet.start(["local", "workspace", ...args], { TF_CLI_CONFIG_FILE: "/dev/null", ...env });
  const workspace = (...args: string[]) => workspaceIn({}, ...args);

  function template(configuration = `resource "terraform_data" "a" {}`): string {
    const folder = join(temporaryFolder(), "template");
    mkdirSync(folder);
    writeFileSync(join(folder, "main.tf"), configuration);
    return folder;
  }

  it("starts a workspace and deletes it, with the state in the user's state folder", async () => {
    const folder = template();
    const started = await workspace("start", folder, "--name", "blue", "--owner", "ada").ended;
    expect(started).toMatchObject({ code: 0 });
    expect(started.stdout).toContain('The workspace "blue" of "ada" is running: 1 created.');
    expect(started.stdout).toContain(`State: ${trivet.home}/.local/state/trivet/local-workspace/`);
    expect(started.stderr).toContain("terraform_data.a: Plan to create");
    const args = ["delete", folder, "--name", "blue", "--json", "--quiet"];
    const { code, stdout, stderr } = await workspace(...args).ended;
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toMatchObject({ changes: [{ action: "delete" }] });
  });

  it("previews a template without its providers", async () => {
    const folder = template(`data "workspace_workspace_owner" "me" {}
data "workspace_parameter" "cores" {
  name        = "cores"
  type        = "number"
  description = "For \${join(", ", data.workspace_workspace_owner.me.groups)}"
  default     = 4
  validation {
    max = 8
  }
}
`);
    const options = ["--parameter", "cores=9", "--owner", "ada", "--group", "admins"];
    const previewed = await workspace("preview", folder, ...options, "--json").ended;
    // The value is refused.
    expect([previewed.code, previewed.stderr]).toEqual([1, ""]);
    expect(JSON.parse(previewed.stdout)).toMatchObject({
      parameters: [
        {
          name: "cores",
          description: "For Everyone, admins",
          default: "4",
          value: "9",
          diagnostics: [{ summary: "Invalid parameter value according to 'validation' block" }],
        },
      ],
    });
    const text = await workspace("preview", folder).ended;
    expect(text.code).toBe(0);
    expect(text.stdout).toBe(
      'Parameters:\n  cores = "4" (number as input, not mutable)\n    validation: max 8\n',
    );
  });

  it("reports what is wrong and how to fix it", async () => {
    const { code, stderr } = await workspace("stop", template()).ended;
    expect(code).toBe(1);
    expect(stderr).toBe('trivet: The workspace "dev" does not exist.\nStart it first.\n');
  });

  it("refuses a parameter without a value", async () => {
    const { code, stderr } = await workspace("start", "x", "--parameter", "region").ended;
    expect(code).toBe(2);
    expect(stderr).toContain("It must be name=value");
  });

  it("reads secrets from its environment, so that they need not be arguments", async () => {
    const bin = new RecordingTerraform(join(temporaryFolder(), "bin"));
    const { code } = await workspaceIn(
      { KEY: "k", EXTERNAL_AUTH_GIT: "t" },
      "start",
      template(),
      "--terraform",
      bin.binary,
      "--secret-env",
      "KEY",
      "--secret-env",
      "GIVEN=a=b",
      "--external-auth",
      "git",
    ).ended;
    expect(code).toBe(0);
    const environment = buildEnvironment(bin.last("plan").env);
    expect(environment.secretByEnv("KEY")).toBe("k");
    expect(environment.secretByEnv("GIVEN")).toBe("a=b");
    expect(environment.externalAuthToken("git")).toBe("t");
  });

  it("names the variable of a missing secret", async () => {
    const { code, stderr } = await workspace("start", "x", "--external-auth", "git-hub").ended;
    expect(code).toBe(2);
    expect(stderr).toContain("Set the variable EXTERNAL_AUTH_GIT_HUB");
  });

  it("stops Terraform gracefully at Ctrl-C and reports the interruption", async () => {
    const folder = template(
      `resource "terraform_data" "slow" {
        provisioner "local-exec" { command = "echo begun; sleep 60" }
      }`,
    );
    const { child, ended } = workspace("start", folder);
    let printed = "";
    let interrupted = false;
    child.stderr?.on("data", (text: Buffer) => {
      printed += text.toString();
      if (interrupted || !printed.includes("begun")) return;
      interrupted = true;
      child.kill("SIGINT");
    });
    const { code, stderr } = await ended;
    expect(code).toBe(130);
    expect(stderr).toContain("trivet: The build was interrupted.");
  });
});

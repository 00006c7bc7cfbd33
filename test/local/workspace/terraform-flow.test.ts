import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { App, DataResource, LocalBackend, TerraformStack } from "cdktf";
import {
  LocalPlatform,
  type LocalPlatformSettings,
} from "../../../src/local/workspace/local-platform";
import { temporaryFolder } from "./temporary-folder";

/** The real Terraform with built-in resources only, so that it needs no provider. */
function scenario(configuration: string, file = "main.tf") {
  const base = temporaryFolder();
  const template = join(base, "template");
  mkdirSync(template);
  const write = (text: string, name = file) => {
    writeFileSync(join(template, name), text);
  };
  write(configuration);
  const stateFolder = join(base, "state");
  const lines: string[] = [];
  const platform = (settings: Partial<LocalPlatformSettings> = {}) =>
    new LocalPlatform({
      template,
      stateFolder,
      log: (line: string) => lines.push(line),
      env: { PATH: process.env["PATH"], HOME: base, TF_CLI_CONFIG_FILE: "/dev/null" },
      ...settings,
    });
  return { base, template, stateFolder, platform, write, lines };
}

const keptRequest = `resource "terraform_data" "kept" { input = "a" }\n`;
const slow = `resource "terraform_data" "first" {}
resource "terraform_data" "slow" {
  depends_on = [terraform_data.first]
  provisioner "local-exec" { command = "echo begun; sleep 60" }
}
`;

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

it("keeps the state from build to build until the workspace is deleted", async () => {
  const { platform, write, stateFolder } = scenario(keptRequest);
  const first = await platform().build({ transition: "start" });
  expect(first.changes).toEqual([
    { address: "terraform_data.kept", type: "terraform_data", action: "create" },
  ]);
  const statePath = first.statePath ?? "";
  expect(modeOf(statePath)).toBe("600");
  for (const folder of [stateFolder, join(stateFolder, "workspaces"), join(statePath, "..")]) {
    expect(modeOf(folder)).toBe("700");
  }
  expect(readdirSync(join(statePath, "..")).sort()).toEqual([
    "build.json",
    "template",
    "template.json",
    "terraform.tfstate",
    "workspace.json",
  ]);

  const id = () => /"id": "([^"]+)"/.exec(readFileSync(statePath, "utf8"))?.[1];
  const before = id();
  write(keptRequest.replace('"a"', '"b"'));
  expect((await platform().build({ transition: "stop" })).changes).toEqual([]);
  const second = await platform().build({ transition: "start" });
  expect(second.changes).toMatchObject([{ action: "update" }]);
  expect(id()).toBe(before);

  const third = await platform().build({ transition: "delete" });
  expect(third.changes).toMatchObject([{ action: "delete" }]);
  expect(existsSync(statePath)).toBe(false);
  expect(await platform().build({ transition: "delete" })).toMatchObject({ skipped: true });
});

it("stops and deletes a workspace with the template of its last build", async () => {
  const { platform, write } = scenario(keptRequest);
  await platform().build({ transition: "start" });
  write("This is no template.");
  expect((await platform().build({ transition: "stop" })).changes).toEqual([]);
  const { changes } = await platform().build({ transition: "delete" });
  expect(changes).toMatchObject([{ action: "delete" }]);
});

it("leaves symbolic links out, and says so", async () => {
  const { platform, base, write } = scenario(keptRequest);
  write(keptRequest);
  mkdirSync(join(base, "shared"));
  writeFileSync(join(base, "shared", "more.tf"), 'resource "terraform_data" "more" {}');
  symlinkSync(join(base, "shared"), join(base, "template", "modules"));
  symlinkSync(join(base, "shared", "more.tf"), join(base, "template", "more.tf"));
  const { changes, warnings } = await platform().build({ transition: "start" });
  expect(changes).toHaveLength(1);
  expect(warnings).toEqual([
    expect.stringContaining("modules is a symbolic link"),
    expect.stringContaining("more.tf is a symbolic link"),
  ]);
});

it("imports a template by planning it for a start and for a stop", async () => {
  const { platform, stateFolder } = scenario(keptRequest);
  const report = await platform().importTemplate();
  expect(report).toMatchObject({ agents: [], parameters: [], whileStarted: [], warnings: [] });
  expect(report.tags).toEqual({});
  expect(readdirSync(stateFolder)).toEqual(["platform.json", "template.json"]);
});

it("passes input variables to Terraform", async () => {
  const { platform } = scenario(`variable "x" {}\nresource "terraform_data" "a" { input = var.x }`);
  const { statePath } = await platform().build({ transition: "start", variables: { x: "given" } });
  expect(readFileSync(statePath ?? "", "utf8")).toContain('"given"');
});

describe("a state that is kept elsewhere", () => {
  const elsewhere = (base: string): string =>
    `terraform {\n  backend "local" {\n    path = "${base}/other.tfstate"\n  }\n}\n${keptRequest}`;

  it("is a warning of the import, and an error of a build before anything is applied", async () => {
    const { platform, base, write } = scenario("");
    write(elsewhere(base));
    const { warnings } = await platform().importTemplate();
    expect(warnings).toEqual([
      expect.stringContaining(
        `The template has backend "local" with the path ${base}/other.tfstate, but the platform reads`,
      ),
    ]);
    const failure: unknown = await platform()
      .build({ transition: "start" })
      .catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({
      code: "REFUSED",
      message: expect.stringContaining('"read statefile terraform.tfstate: no such file') as string,
      advice: expect.stringContaining("Remove the backend") as string,
    });
    expect(existsSync(join(base, "other.tfstate"))).toBe(false);
  });

  it("does not lose what an earlier version of the template created", async () => {
    const { platform, base, write } = scenario(keptRequest);
    await platform().build({ transition: "start" });
    write(elsewhere(base));
    await expect(platform().build({ transition: "start" })).rejects.toMatchObject({
      code: "REFUSED",
    });
    const { changes } = await platform().build({ transition: "delete" });
    expect(changes).toMatchObject([{ action: "delete" }]);
  });

  it("is the default of cdktf for a stack that is no template", async () => {
    const { platform } = scenario("");
    const template = synthesized(() => undefined);
    await expect(platform({ template }).build({ transition: "start" })).rejects.toMatchObject({
      message: expect.stringContaining("terraform.dev.tfstate") as string,
    });
  });
});

/** The folder of a stack as cdktf synthesizes it. */
function synthesized(build: (stack: TerraformStack) => void): string {
  const folder = temporaryFolder();
  const app = new App({ outdir: join(folder, "cdktf.out") });
  const stack = new TerraformStack(app, "dev");
  new DataResource(stack, "a", { input: { text: "x" } });
  build(stack);
  app.synth();
  return join(folder, "cdktf.out", "stacks", "dev");
}

it("accepts a state in the expected file, however it is written", async () => {
  const { platform } = scenario("");
  const template = synthesized((stack) => new LocalBackend(stack, { path: "./terraform.tfstate" }));
  expect(await platform({ template }).importTemplate()).toMatchObject({ warnings: [] });
  const { warnings, statePath } = await platform({ template }).build({ transition: "start" });
  expect(warnings).toEqual([]);
  expect(existsSync(statePath ?? "")).toBe(true);
});

it("hides the output of init, unless it fails or is verbose", async () => {
  const { platform, lines, write } = scenario(keptRequest);
  const initialized = () => lines.filter((line) => line.includes("Initializing")).length;
  await platform().build({ transition: "start" });
  expect(initialized()).toBe(0);
  await platform({ verbose: true }).build({ transition: "start" });
  expect(initialized()).toBeGreaterThan(0);
  lines.length = 0;
  write(`terraform { required_version = "< 1.0.0" }`);
  await expect(platform().build({ transition: "start" })).rejects.toMatchObject({
    code: "TERRAFORM",
    message: expect.stringContaining("required_version") as string,
  });
});

it("reports Terraform's errors, and keeps the completed changes", async () => {
  const { platform, write, stateFolder } = scenario(
    `${keptRequest}resource "terraform_data" "bad" {
      depends_on = [terraform_data.kept]
      provisioner "local-exec" { command = "exit 3" }
    }`,
  );
  const failure: unknown = await platform()
    .build({ transition: "start" })
    .catch((thrown: unknown) => thrown);
  expect(failure).toMatchObject({
    code: "TERRAFORM",
    message: expect.stringContaining("local-exec provisioner error") as string,
  });
  const state = join(stateFolder, "workspaces", "dev", "terraform.tfstate");
  expect(readFileSync(state, "utf8")).toContain('"kept"');
  write(keptRequest);
  const { changes } = await platform().build({ transition: "start" });
  expect(changes).toMatchObject([{ address: "terraform_data.bad", action: "delete" }]);
});

it("stops Terraform gracefully when it is interrupted, and keeps completed changes", async () => {
  const { platform, write } = scenario(slow);
  const stop = new AbortController();
  const log = (line: string) => {
    if (line.includes("begun")) stop.abort();
  };
  await expect(
    platform({ signal: stop.signal, log }).build({ transition: "start" }),
  ).rejects.toMatchObject({ code: "INTERRUPTED" });
  write(`resource "terraform_data" "first" {}\n`);
  const { changes } = await platform().build({ transition: "start" });
  expect(changes).toMatchObject([{ address: "terraform_data.slow", action: "delete" }]);
});

it("recovers the state that a killed build left in its working copy", async () => {
  const { platform, stateFolder } = scenario(keptRequest);
  const { statePath = "" } = await platform().build({ transition: "start" });
  const newer = JSON.parse(readFileSync(statePath, "utf8")) as { serial: number; resources: [] };
  const work = join(stateFolder, "workspaces", "dev", "work");
  mkdirSync(work);
  writeFileSync(
    join(work, "terraform.tfstate"),
    JSON.stringify({ ...newer, serial: newer.serial + 1, resources: [] }),
  );
  const { changes, warnings } = await platform().build({ transition: "start" });
  expect(changes).toMatchObject([{ action: "create" }]);
  expect(warnings).toEqual([expect.stringContaining("ended before its state was saved")]);
  expect(existsSync(work)).toBe(false);
});

describe("after a build that ended early", () => {
  const short = slow.replace("sleep 60", "sleep 3");
  const first = `resource "terraform_data" "first" {}\n`;

  it("a killed Terraform has kept what it finished, and the next build continues", async () => {
    const { platform, write, stateFolder } = scenario(short);
    const log = (line: string) => {
      if (!line.includes("begun")) return;
      const holders = readFileSync(join(stateFolder, "lock"), "utf8").trim().split("\n");
      process.kill(Number.parseInt(holders[1] ?? "", 10), "SIGKILL");
    };
    await expect(platform({ log }).build({ transition: "start" })).rejects.toMatchObject({
      code: "TERRAFORM",
      message: "terraform apply was ended by SIGKILL",
    });
    expect(existsSync(join(stateFolder, "lock"))).toBe(false);
    write(first);
    const { changes } = await platform().build({ transition: "start" });
    expect(changes.filter(({ action }) => action === "create")).toEqual([]);
  });

  it("a state that could not be saved is recovered by the next build", async () => {
    const { platform, stateFolder } = scenario(
      `${first}resource "terraform_data" "said" {
        provisioner "local-exec" { command = "echo begun" }
      }`,
    );
    const obstacle = join(stateFolder, "workspaces", "dev", "terraform.tfstate");
    const log = (line: string) => {
      if (line.includes("begun")) mkdirSync(obstacle, { recursive: true });
    };
    await expect(platform({ log }).build({ transition: "start" })).rejects.toMatchObject({
      code: "FOLDER",
      message: expect.stringMatching(/^The state could not be saved in .*: EISDIR/) as string,
    });
    expect(existsSync(join(stateFolder, "lock"))).toBe(false);
    rmdirSync(obstacle);
    const { changes, warnings } = await platform().build({ transition: "start" });
    expect(changes).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining("ended before its state was saved")]);
  });

  it("a damaged state does not replace the one before", async () => {
    const { platform, stateFolder, write } = scenario(first);
    await platform().build({ transition: "start" });
    const work = join(stateFolder, "workspaces", "dev", "work", "terraform.tfstate");
    write(`${first}resource "terraform_data" "said" {
      provisioner "local-exec" { command = "echo begun; sleep 1; echo '{ \\"serial' > ${work}; kill -9 $PPID" }
    }`);
    await expect(platform().build({ transition: "start" })).rejects.toMatchObject({
      code: "FOLDER",
      message: expect.stringContaining("damaged state") as string,
    });
    write(first);
    const { changes } = await platform().build({ transition: "start" });
    expect(changes).toEqual([]);
  });
});

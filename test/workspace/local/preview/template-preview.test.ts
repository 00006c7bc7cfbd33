import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { monotonicRefusals } from "../../../../src/workspace/local/build/monotonic-values";
import { LocalPlatform } from "../../../../src/workspace/local/local-platform";
import type { PreviewRequest } from "../../../../src/workspace/local/preview/preview";
import { temporaryFolder } from "../temporary-folder";

function platformOf(files: Readonly<Record<string, string>>) {
  const base = temporaryFolder();
  const template = join(base, "template");
  for (const [name, text] of Object.entries(files)) {
    const file = join(template, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const stateFolder = join(base, "state");
  const env = { PATH: process.env["PATH"], HOME: base, TF_CLI_CONFIG_FILE: "/dev/null" };
  return { template, stateFolder, platform: new LocalPlatform({ template, stateFolder, env }) };
}

const previewed = (files: Readonly<Record<string, string>>, request: PreviewRequest = {}) =>
  platformOf(files).platform.preview(request);

const region = `data "workspace_parameter" "region" {
  name    = "region"
  default = "eu"
}
`;

const inModule = {
  "main.tf": `module "form" {
  source     = "./form"
  count      = data.workspace_workspace.me.start_count
  limit      = var.limit
  depends_on = [docker_image.x]
  providers  = { docker = docker }
}
variable "limit" {
  default = 4
}
data "workspace_workspace" "me" {}
data "workspace_parameter" "size" {
  name    = "size"
  type    = "number"
  default = module.form[0].smallest
}
resource "docker_image" "x" {
  name = module.form[0].image
}
provider "docker" {}
`,
  "form/form.tf": `terraform {
  required_providers {
    docker = { source = "kreuzwerker/docker" }
  }
}
variable "limit" {}
data "workspace_workspace_owner" "me" {}
data "workspace_parameter" "cores" {
  name    = "cores of \${data.workspace_workspace_owner.me.name}"
  type    = "number"
  default = var.limit
}
resource "docker_container" "c" {
  image = "i"
}
output "smallest" {
  value = var.limit / 2
}
output "image" {
  value = docker_container.c.image
}
`,
};

it("shows parameters with names that all objects have", async () => {
  const names = ["constructor", "toString", "valueOf", "hasOwnProperty", "__proto__"];
  const text = names.map(
    (name, at) =>
      `data "workspace_parameter" "p${at}" {\n  name    = "${name}"\n  default = "d"\n  order   = ${at}\n}\n`,
  );
  const files = { "main.tf": text.join("") };
  const shown = async (request: PreviewRequest) => {
    const { parameters, diagnostics } = await previewed(files, request);
    expect(diagnostics).toEqual([]);
    return parameters.map(({ name, value }) => [name, value]);
  };
  expect(await shown({})).toEqual(names.map((name) => [name, "d"]));
  const parameters = Object.fromEntries(names.map((name) => [name, "entered"]));
  expect(await shown({ parameters })).toEqual(names.map((name) => [name, "entered"]));
});

it.each([
  [
    "increasing",
    "20",
    "40",
    "parameter value '20' must be equal or greater than previous value: 40",
  ],
  ["increasing", "40", "40", undefined],
  ["increasing", "20", "none", undefined],
  ["decreasing", "40", "20", "parameter value '40' must be equal or lower than previous value: 20"],
  ["decreasing", "9007199254740993", "9007199254740993", undefined],
])("knows whether an %s number may be %s after %s", async (monotonic, disk, before, problem) => {
  const text = `data "workspace_parameter" "disk" {
  name    = "disk"
  type    = "number"
  mutable = true
  default = 1
  validation {
    monotonic = "${monotonic}"
  }
}
`;
  const preview = await previewed({ "main.tf": text }, { parameters: { disk } });
  const expected = problem === undefined ? [] : [`parameter "disk": ${problem}`];
  expect(monotonicRefusals(preview, { disk: before })).toEqual(expected);
});

it("sees the parameters of modules, without their providers", async () => {
  const preview = await previewed(inModule, { owner: { name: "ada" }, variables: { limit: "6" } });
  expect(preview.diagnostics).toEqual([]);
  expect(preview.parameters.map(({ name, value }) => [name, value])).toEqual([
    ["cores of ada", "6"],
    ["size", "3"],
  ]);
});

it("shows what can be evaluated, and Terraform's errors for the rest", async () => {
  // Its value is not known before the other one is.
  const value = "jsondecode(data.workspace_parameter.region.value)";
  const broken = `data "workspace_parameter" "b" {\n  name = "b"\n  default = ${value}\n}\n`;
  const preview = await previewed({ "main.tf": region + broken });
  expect(preview.parameters.map(({ name, value }) => [name, value])).toEqual([
    ["b", undefined],
    ["region", "eu"],
  ]);
  expect(preview.diagnostics).toMatchObject([
    {
      severity: "error",
      summary: "Error in function call",
      isTerraforms: true,
      place: {
        file: "main.tf",
        line: 7,
        context: 'data "workspace_parameter" "b"',
        code: `  default = ${value}`,
        values: ['data.workspace_parameter.region.value is "eu"'],
      },
    },
  ]);
});

it.each([
  ["native syntax", [], { "main.tf": `${region}resource "x" "y" {` }],
  ["the text between blocks", ["eu"], { "main.tf": `${region}x = 1\n` }],
  ["an unknown block", ["eu"], { "main.tf": `${region}sauce "x" {}\n` }],
  ["JSON", [], { "main.tf": region, "other.tf.json": "{" }],
  [
    "a reference",
    [undefined],
    { "main.tf": region.replace('"eu"', "data.workspace_parameter.none.value") },
  ],
])("reports a mistake in %s", async (_, values, files) => {
  const preview = await previewed(files);
  expect(preview.parameters.map(({ value }) => value)).toEqual(values);
  expect(preview.diagnostics.map(({ severity }) => severity)).toContain("error");
});

it("reads variables from the files that Terraform reads, unless they are given", async () => {
  const files = {
    "main.tf": `variable "a" {}\nvariable "b" {}\n${region.replace('"eu"', '"${var.a}-${var.b}"')}`,
    "terraform.tfvars": 'a = "1"\nb = "2"\n',
  };
  const { parameters } = await previewed(files, { variables: { b: "3" } });
  expect(parameters).toMatchObject([{ default: "1-3" }]);
});

it("shows the secrets and the external logins", async () => {
  const { secrets, externalAuth } = await previewed({
    "main.tf": `data "workspace_secret" "a" {
  env          = "KEY"
  help_message = "Add it."
}
data "workspace_external_auth" "git" {
  id       = "git"
  optional = true
}
`,
  });
  expect(secrets).toEqual([{ env: "KEY", file: undefined, helpMessage: "Add it." }]);
  expect(externalAuth).toEqual([{ id: "git", optional: true }]);
});

it("leaves nothing behind, and does not wait for a build", async () => {
  const { platform, stateFolder } = platformOf({ "main.tf": region });
  mkdirSync(stateFolder);
  writeFileSync(join(stateFolder, "lock"), `${process.pid}\n`);
  const before = new Set(readdirSync(tmpdir()));
  const values = ["a", "b", "c"];
  const previews = await Promise.all(
    values.map((value) => platform.preview({ parameters: { region: value } })),
  );
  expect(previews.map(({ parameters }) => parameters[0]?.value)).toEqual(values);
  const left = readdirSync(tmpdir()).filter((name) => !before.has(name));
  expect(left.filter((name) => name.startsWith("trivet-preview-"))).toEqual([]);
  expect(readdirSync(stateFolder)).toEqual(["lock"]);
});

it("ends early when it is interrupted", async () => {
  const { platform } = platformOf({ "main.tf": region });
  await expect(platform.preview({ signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: "INTERRUPTED",
  });
});

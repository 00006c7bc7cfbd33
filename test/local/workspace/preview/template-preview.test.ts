import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import os, { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import * as fc from "fast-check";
import { ModuleFolders } from "../../../../src/local/workspace/preview/module-folders";
import {
  missingSecrets,
  templateRefusals,
} from "../../../../src/local/workspace/preview/preview-text";
import { LocalPlatform } from "../../../../src/local/workspace/local-platform";
import type { PreviewRequest } from "../../../../src/local/workspace/preview/preview";
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

it("writes nothing outside of its copy of a template", async () => {
  const outside = temporaryFolder();
  const text = `${region}resource "terraform_data" "kept" {}\n`;
  writeFileSync(join(outside, "main.tf"), text);
  // The copy is two folders below the one for temporary files.
  const source = `../../${relative(tmpdir(), outside)}`;
  await previewed({ "main.tf": `module "shared" {\n  source = "${source}"\n}\n` });
  expect(readdirSync(outside)).toEqual(["main.tf"]);
  expect(readFileSync(join(outside, "main.tf"), "utf8")).toBe(text);
});

it("knows which secrets of the owner are missing", async () => {
  const secrets = `data "workspace_secret" "a" {
  env          = "PASSWORD"
  help_message = "Store it."
}
data "workspace_secret" "b" {
  file = "~/key"
}
`;
  const preview = await previewed({ "main.tf": secrets });
  const both = [
    {
      refusal:
        "The owner must store a secret for the environment variable PASSWORD first: Store it.",
      option: "--secret-env PASSWORD",
    },
    {
      refusal: "The owner must store a secret for the file ~/key first",
      option: "--secret-file ~/key=…",
    },
  ];
  expect(missingSecrets(preview)).toEqual(both);
  expect(missingSecrets(preview, { PASSWORD: "" }, { "~/key": "k" })).toEqual(both.slice(0, 1));
  expect(missingSecrets(preview, { PASSWORD: "p" }, { "~/key": "k" })).toEqual([]);
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
  const values = ["a", "b", "c"];
  // Other test files make previews in the usual folder.
  const temporary = temporaryFolder();
  const spy = jest.spyOn(os, "tmpdir").mockReturnValue(temporary);
  const previews = await Promise.all(
    values.map((value) => platform.preview({ parameters: { region: value } })),
  );
  expect(previews.map(({ parameters }) => parameters[0]?.value)).toEqual(values);
  expect(spy).toHaveBeenCalled();
  spy.mockRestore();
  expect(readdirSync(temporary)).toEqual([]);
  expect(readdirSync(stateFolder)).toEqual(["lock"]);
});

it("ends early when it is interrupted", async () => {
  const { platform } = platformOf({ "main.tf": region });
  await expect(platform.preview({ signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: "INTERRUPTED",
  });
});

const remote = `module "code" {
  source = "no.such.host.invalid/a/b/c"
}
module "here" {
  source = "./here"
}
${region}data "workspace_parameter" "port" {
  name    = "port"
  default = "\${module.here.port}-\${module.code.port}"
}
`;

it("shows the form without the modules that cannot be fetched, and keeps those of before", async () => {
  const { platform, template } = platformOf({
    "main.tf": remote,
    "here/main.tf": 'output "port" {\n  value = 1\n}\n',
  });
  const missing = await platform.preview();
  expect(missing.parameters.map(({ name, value }) => [name, value])).toEqual([
    ["port", undefined],
    ["region", "eu"],
  ]);
  expect(missing.diagnostics).toMatchObject(
    [
      { severity: "warning", summary: /^Module not loaded/, place: { file: "main.tf", line: 1 } },
    ].map((each) => ({ ...each, summary: expect.stringMatching(each.summary) as string })),
  );

  // As `terraform init` leaves it.
  const folder = join(template, ".terraform", "modules");
  mkdirSync(join(folder, "code"), { recursive: true });
  writeFileSync(join(folder, "code", "main.tf"), 'output "port" {\n  value = 2\n}\n');
  const installed = [
    { Key: "", Source: "", Dir: "." },
    {
      Key: "code",
      Source: "no.such.host.invalid/a/b/c",
      Version: "1.0.0",
      Dir: ".terraform/modules/code",
    },
    { Key: "here", Source: "./here", Dir: "here" },
  ];
  writeFileSync(join(folder, "modules.json"), JSON.stringify({ Modules: installed }));
  const loaded = await new LocalPlatform({
    template,
    stateFolder: join(template, "..", "state"),
    env: { PATH: process.env["PATH"], TF_CLI_CONFIG_FILE: "/dev/null" },
  }).preview();
  expect(loaded.diagnostics).toEqual([]);
  expect(loaded.parameters[0]).toMatchObject({ name: "port", value: "1-2" });
});

it("fetches modules once for each content of a template", async () => {
  const copy = temporaryFolder();
  const template = temporaryFolder();
  const text = 'module "here" {\n  source = "./here"\n}\n';
  const modules = new ModuleFolders();
  let fetches = 0;
  const load = async (added: string) => {
    mkdirSync(join(copy, "here"), { recursive: true });
    writeFileSync(join(copy, "main.tf"), text + added);
    await modules.load(template, copy, async () => {
      fetches += 1;
      await Promise.resolve();
    });
  };
  await load("");
  await load("");
  expect(fetches).toBe(1);
  await load("locals {}\n");
  expect(fetches).toBe(2);
});

it("takes variables without a value as not known, and names the option", async () => {
  const files = {
    "main.tf": `variable "zone" {\n  type = string\n}\n${region.replace('"eu"', "var.zone")}`,
  };
  const { parameters, diagnostics } = await previewed(files);
  expect(parameters).toMatchObject([{ name: "region", value: undefined }]);
  expect(diagnostics).toMatchObject([
    {
      severity: "warning",
      summary: 'The variable "zone" has no value',
      detail: expect.stringContaining("--var zone=") as string,
      place: { file: "main.tf", line: 1 },
    },
  ]);
  const given = await previewed(files, { variables: { zone: "z" } });
  expect(given.diagnostics).toEqual([]);
  expect(given.parameters).toMatchObject([{ value: "z" }]);
});

it("previews a file in JSON whose only variable has no value", async () => {
  const files = {
    "main.tf": region,
    "cdk.tf.json": JSON.stringify({ variable: { token: { type: "string" } } }),
  };
  const { parameters, diagnostics } = await previewed(files);
  expect(parameters).toMatchObject([{ name: "region", value: "eu" }]);
  expect(diagnostics).toMatchObject([{ summary: 'The variable "token" has no value' }]);
});

const repo = 'data "workspace_parameter" "repo" {\n  name = "repo"\n}\n';
const repoValue = "data.workspace_parameter.repo.value";

/** Expressions with a required parameter, which are valid with the empty text. */
const used = fc.oneof(
  fc.constantFrom(
    `"x-\${${repoValue}}"`,
    `lower(${repoValue})`,
    `substr(${repoValue}, 0, 3)`,
    `${repoValue} == "" ? "a" : "b"`,
    `join("/", [${repoValue}, "y"])`,
    `try(upper(${repoValue}), "z")`,
    `replace(${repoValue}, "/[a-z]/", "-")`,
  ),
);

it("accepts required parameters in every expression", async () => {
  const expressions = fc.sample(used, { seed: 43, numRuns: 12 });
  const blocks = [
    (at: number, expression: string) => `locals {\n  l${at} = ${expression}\n}\n`,
    (at: number, expression: string) =>
      `module "m${at}" {\n  source = "./m"\n  in     = ${expression}\n}\n`,
    (at: number, expression: string) =>
      `data "workspace_parameter" "p${at}" {\n  name    = "p${at}"\n  default = ${expression}\n}\n`,
  ];
  const texts = expressions.map((expression, at) => blocks[at % blocks.length]?.(at, expression));
  const files = {
    "main.tf": repo + region + texts.join(""),
    "m/m.tf": 'variable "in" {}\noutput "out" {\n  value = "o-${upper(var.in)}"\n}\n',
  };
  const open = await previewed(files);
  expect(open.diagnostics).toEqual([]);
  expect(open.parameters.find(({ name }) => name === "region")).toMatchObject({ value: "eu" });
  expect(open.parameters.find(({ name }) => name === "p2")).toMatchObject({ value: undefined });
  const given = await previewed(files, { parameters: { repo: "r" } });
  expect(given.diagnostics).toEqual([]);
  for (const { name, value } of given.parameters) expect([name, value]).not.toContain(undefined);
});

it("accepts a default that is null in every expression", async () => {
  const files = {
    "main.tf": `module "zone" {\n  source = "./zone"\n}\n${region.replace('"eu"', "module.zone.short")}`,
    "zone/zone.tf": `variable "zone" {
  type    = string
  default = null
}
data "workspace_parameter" "zone" {
  name    = "zone"
  default = var.zone
}
output "short" {
  value = substr(data.workspace_parameter.zone.value, 0, 2)
}
`,
  };
  const { parameters, diagnostics } = await previewed(files);
  expect(diagnostics).toEqual([]);
  expect(parameters.map(({ name }) => name)).toEqual(["region", "zone"]);
});

it("reports what is wrong with the empty text too, in Terraform's words", async () => {
  const sizes = `locals {\n  size = { small = 1 }[${repoValue}]\n}\n`;
  const { diagnostics, parameters } = await previewed({ "main.tf": repo + sizes });
  expect(parameters).toHaveLength(1);
  expect(diagnostics).toMatchObject([
    { isTerraforms: true, severity: "error", summary: "Invalid index", place: { line: 5 } },
  ]);
  expect(
    templateRefusals({
      diagnostics,
      parameters,
      presets: [],
      tags: {},
      secrets: [],
      externalAuth: [],
    }),
  ).toEqual([]);
});

it.each([
  ["a count", "count = length(data.http.x.body) > 1 ? 1 : 0", "The number is not known"],
  ["for_each", "for_each = toset(data.http.x.body)", "The number is not known"],
])("warns of %s that is not known", async (_, line, summary) => {
  const text = `data "http" "x" {}\n${region}data "workspace_parameter" "n" {\n  ${line}\n  name = "n"\n  default = "d"\n}\n`;
  const { parameters, diagnostics } = await previewed({ "main.tf": text });
  const shown = line.startsWith("count") ? ["n", "region"] : ["region"];
  expect(parameters.map(({ name }) => name)).toEqual(shown);
  expect(diagnostics).toMatchObject([
    {
      severity: "warning",
      summary: expect.stringContaining(summary) as string,
      place: { line: 7 },
    },
  ]);
});

it("warns of options that are not known, and knows the value all the same", async () => {
  const text = `data "http" "x" {}
data "workspace_parameter" "size" {
  name    = "size"
  default = "s"
  dynamic "option" {
    for_each = jsondecode(data.http.x.body)
    content {
      name  = option.value
      value = option.value
    }
  }
}
${region.replace('"eu"', "data.workspace_parameter.size.value")}`;
  const { parameters } = await previewed({ "main.tf": text });
  expect(parameters).toMatchObject([
    { name: "region", value: "s" },
    { name: "size", value: "s", diagnostics: [{ severity: "warning" }] },
  ]);
});

it("reads whole names of arguments, and labels without quotes", async () => {
  const files = {
    "main.tf": 'module m {\n  source       = "./m"\n  git-provider = "forge"\n}\n',
    "m/m.tf": `variable git-provider {}\ndata workspace_parameter login {\n  name    = "login"\n  default = var.git-provider\n}\n`,
  };
  const { parameters, diagnostics } = await previewed(files);
  expect(diagnostics).toEqual([]);
  expect(parameters).toMatchObject([{ name: "login", value: "forge" }]);
});

it("refuses a parameter without its name in a file that overrides another, as the platform does", async () => {
  const parameter = { default: "us" };
  const overrides = {
    "main_override.tf": `data "workspace_parameter" "region" {\n  default = "us"\n}\n`,
    "override.tf.json": JSON.stringify({ data: { workspace_parameter: { region: parameter } } }),
  };
  for (const [name, text] of Object.entries(overrides)) {
    const preview = await previewed({ "main.tf": region, [name]: text });
    expect(templateRefusals(preview)).toEqual([
      expect.stringContaining(
        'Missing required attribute "name" for block "workspace_parameter.region"',
      ),
    ]);
    const named = text.replace("default", 'name    = "region"\n  default');
    const repeated = name.endsWith(".json")
      ? JSON.stringify({
          data: { workspace_parameter: { region: { ...parameter, name: "region" } } },
        })
      : named;
    expect(templateRefusals(await previewed({ "main.tf": region, [name]: repeated }))).toEqual([]);
  }
});

it("reports a mistake in a template without parameters", async () => {
  const { diagnostics } = await previewed({ "main.tf": "HELLO\nlocals {}\n" });
  expect(diagnostics).toMatchObject([{ severity: "error", place: { file: "main.tf", line: 1 } }]);
});

describe("a version of the platform", () => {
  const preset = (values: string, more = "") => `${region}data "workspace_parameter" "repo" {
  name = "repo"
}
data "workspace_workspace_preset" "p" {
  name       = "P"
  parameters = { ${values} }
  ${more}
}
`;
  const prebuilds = "prebuilds { instances = 1 }";
  const refusals = async (text: string, platformVersion?: string, json = "{}") => {
    const { template, stateFolder } = platformOf({ "main.tf": text, "cdk.tf.json": json });
    const env = { PATH: process.env["PATH"], TF_CLI_CONFIG_FILE: "/dev/null" };
    const platform = new LocalPlatform({ template, stateFolder, env, platformVersion });
    return templateRefusals(await platform.preview({ triesPresets: true }));
  };

  it("decides which presets are refused", async () => {
    const unknown = [expect.stringContaining("Undefined Parameter")];
    const missing = [expect.stringContaining("Required parameter not provided")];
    expect(await refusals(preset('nope = "1"'))).toEqual([]);
    expect(await refusals(preset('nope = "1"'), "2.30")).toEqual(unknown);
    expect(await refusals(preset("", prebuilds))).toEqual(missing);
    expect(await refusals(preset("", prebuilds), "2.30")).toEqual([]);
  });

  it("is the one that the stack was synthesized for", async () => {
    const json = JSON.stringify({ "//": { platformVersion: "2.30" } });
    expect(await refusals(preset("", prebuilds), undefined, json)).toEqual([]);
    expect(await refusals(preset("", prebuilds), "2.31", json)).toHaveLength(1);
  });

  it("is refused if it is none", async () => {
    await expect(refusals("", "new")).rejects.toMatchObject({ code: "REQUEST" });
  });
});

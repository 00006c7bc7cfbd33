import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Testing } from "cdktf";
import * as estree from "prettier/plugins/estree";
import * as typescript from "prettier/plugins/typescript";
import { format } from "prettier/standalone";
import { readConfiguration } from "../../../src/cli/convert/configuration";
import { converted } from "../../../src/cli/convert/conversion";
import { readStackContent } from "../../../src/cli/synthesis/stack-content";
import { temporaryFolder } from "../temporary-folder";
import { stackClass } from "./converted-stack";

const fixture = (name: string): string => join(__dirname, "fixtures", name);

const conversionOf = async (folder: string, keepsCoder = true) =>
  converted(await readConfiguration(folder), keepsCoder);

/** A folder with one file. */
function folderOf(text: string): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "main.tf"), text);
  return folder;
}

/** Synthesizes the stack of a module, with all rules. */
const synthesized = (source: string): string =>
  Testing.synth(new (stackClass(source))(Testing.app(), "main"), true);

/** Everything that Terraform would read of a conversion. */
async function contentOf({ stack, files }: Awaited<ReturnType<typeof conversionOf>>) {
  const folder = join(temporaryFolder(), "stack");
  mkdirSync(folder);
  writeFileSync(join(folder, "cdk.tf.json"), synthesized(stack));
  for (const [name, text] of files) {
    if (text !== undefined) writeFileSync(join(folder, name), text);
  }
  return await readStackContent(folder);
}

const names = ["template", "network", "images"];

it.each(names)("formats the stack of %s as Prettier does", async (name) => {
  const { stack } = await conversionOf(fixture(name));
  expect(stack).toBe(await format(stack, { parser: "typescript", plugins: [estree, typescript] }));
});

it.each(names)("keeps the comments of %s, and all its blocks", async (name) => {
  const { stack, files, converted: done, kept } = await conversionOf(fixture(name));
  const text = [stack, ...files.values()].join("\n");
  const source = readFileSync(join(fixture(name), "main.tf"), "utf8");
  const comments = [...source.matchAll(/(?<!\S)(?:#|\/\/|\*) ?([\w: ]+)/g)].map(([, each]) => each);
  for (const comment of comments) expect(text).toContain(comment);
  const blocks = source.match(/^(?:variable|data|resource|output|provider) /gm) ?? [];
  const addresses = [...done, ...kept.map(({ address }) => address)];
  const counted = addresses.filter((each) => !/^(?:local|module)\./.test(each));
  expect(new Set(counted).size).toBe(blocks.length);
});

it("synthesizes a template with the same names, values and expressions", async () => {
  const { terraform, provider, data, resource, ...others } = await contentOf(
    await conversionOf(fixture("template")),
  );
  expect(terraform).toMatchObject([{ required_version: ">= 1.5" }]);
  expect(provider).toEqual({ coder: [{}] });
  expect({ data, resource, ...others }).toMatchSnapshot();
});

it("converts locals with the names of blocks", async () => {
  const names = ["variable", "output", "module", "provider"];
  const text = `locals {\n${names.map((name) => `  ${name} = "a ${name}"\n`).join("")}}\n`;
  const { locals } = await contentOf(await conversionOf(folderOf(text)));
  expect(locals).toEqual(Object.fromEntries(names.map((name) => [name, `a ${name}`])));
});

it("takes over the state of other providers, and names the new types everywhere", async () => {
  const network = await contentOf(await conversionOf(fixture("network")));
  expect(network).toMatchObject({
    terraform: [
      {
        backend: { gcs: { bucket: "states", prefix: "network" } },
        required_providers: { google: { version: "~> 6.0" }, ids: {} },
      },
    ],
    provider: { ids: [{ project: "acme", zone: "us-central1-a" }], google: [{ project: "acme" }] },
    resource: {
      ids_endpoint: { edge: { endpoint_id: "edge", timeouts: { create: "60m" } } },
      google_compute_packet_mirroring: {
        all: { name: expect.stringContaining("ids_endpoint.edge.endpoint_id") as string },
      },
    },
    moved: [{ from: "google_cloud_ids_endpoint.edge", to: "ids_endpoint.edge" }],
    output: { endpoint: { value: "${ids_endpoint.edge.name}" } },
  });
  const images = await contentOf(await conversionOf(fixture("images")));
  expect(images["moved"]).toHaveLength(3);
  expect(images).toMatchObject({
    resource: {
      signing_sign: { app: { image: "${signing_copy.app.copied_ref}" } },
      signing_attest: { app: { predicates: [{ type: "https://spdx.dev/Document" }] } },
    },
    data: { signing_verify: { app: { image: "${signing_attest.app.attested_ref}" } } },
  });
});

it("leaves a template to coder whose names look like types, with Google's provider for machines", async () => {
  const { stack, files, converted, kept } = await conversionOf(
    folderOf(`terraform {
  required_providers {
    google = { source = "hashicorp/google" }
  }
}
provider "google" {
  project = "acme"
}
variable "workspace_image" {}
resource "coder_agent" "main" {
  os   = "linux"
  arch = "amd64"
}
`),
  );
  expect(stack).toContain("products.coder");
  expect(stack).not.toContain("ids.");
  expect(files.get("main.tf")).toBe('provider "google" {\n  project = "acme"\n}');
  expect(converted).toEqual(["var.workspace_image", "coder_agent.main"]);
  expect(kept).toEqual([{ place: "main.tf:6", address: "provider.google", reason: undefined }]);
});

it("drops no settings of a provider without resources", async () => {
  const settings = `terraform {
  required_providers {
    coder = { source = "coder/coder" }
  }
}
provider "coder" {}
variable "team" {}
`;
  const content = await contentOf(await conversionOf(folderOf(settings)));
  expect(content).toMatchObject({
    terraform: [{ required_providers: { coder: { source: "coder/coder" } } }],
    provider: { coder: [{}] },
  });
});

it("makes a template for coder one of this package, if asked", async () => {
  const { stack, files } = await conversionOf(fixture("template"), false);
  expect(stack).toContain('appMain.moveFromId("coder_app.main")');
  expect(stack).not.toContain("products.coder");
  expect(files.get("main.tf")).toContain("token = workspace_agent.main.token");
});

it.each([
  [
    "an enum's value",
    'resource "coder_agent" "a" {\n  os = "plan9"\n  arch = "amd64"\n}\n',
    "plan9",
  ],
  [
    "what a rule refuses",
    'resource "coder_app" "a" {\n  agent_id = "x"\n  slug = "a"\n  command = "b"\n  subdomain = true\n}\n',
    "cannot be combined",
  ],
  [
    "a provisioner",
    'resource "coder_env" "a" {\n  agent_id = "x"\n  name = "A"\n  provisioner "local-exec" {\n    command = "a"\n  }\n}\n',
    "provisioner has no property",
  ],
])("keeps a block in HCL for %s, and says why", async (_, block, reason) => {
  const text = `variable "v" {}\n\n# Why.\n${block}`;
  const { files, kept, converted: done } = await conversionOf(folderOf(text));
  expect(done).toEqual(["var.v"]);
  expect(files.get("main.tf")).toBe(`# Why.\n${block}`);
  expect(kept).toEqual([
    expect.objectContaining({
      place: "main.tf:4",
      reason: expect.stringContaining(reason) as string,
    }),
  ]);
});

it.each([
  ['variable "a" {\n  default = [1,\n}\n', "main.tf:3"],
  ['variable "a" {\n  default = 1\n', "main.tf:1"],
  ["a = 1\n", "main.tf:1"],
  ['variable "a" {\n  default 1\n}\n', "main.tf:2"],
  ['data "x" "y" {\n  a = "${b"\n}\n', "main.tf:1"],
])("refuses %j, with its line", async (text, place) => {
  await expect(conversionOf(folderOf(text))).rejects.toThrow(place);
});

test.each([
  ['toset(["https://a", "#b", "<<c"])', '${toset(["https://a", "#b", "<<c"])}'],
  ['toset(["a"]) # why', '${toset(["a"])}'],
])("the expression %s needs no other line", async (expression, expected) => {
  const { stack } = await conversionOf(
    folderOf(`variable "a" {}
resource "coder_env" "a" {
  for_each = ${expression}
  agent_id = var.a
  name     = each.key
}
`),
  );
  expect(synthesized(stack)).toContain(`"for_each": ${JSON.stringify(expected)}`);
});

test.each(['"((("', '[option, "("]'])(
  "an iterator that is no name, %s, stays in Terraform",
  async (name) => {
    const { stack } = await conversionOf(
      folderOf(`data "coder_parameter" "region" {
  name = "region"
  dynamic "option" {
    for_each = ["a", "b"]
    iterator = ${name}
    content {
      name  = option.value
      value = option.value
    }
  }
}
`),
    );
    expect(stack).not.toContain("TerraformIterator");
  },
);

import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { App, Fn, TerraformLocal, TerraformStack, Token } from "cdktf";
import { DataResource } from "cdktf/lib/terraform-data-resource";
import { workspace } from "../../src";
import { LocalPlatform } from "../../src/local/workspace/local-platform";
import { attachedTemplate, templateText } from "./support/template";
import { tools } from "./support/tool";
import type { Workspace } from "./support/workspace";

/** Modules with the interface of those that most templates of the registry call. */
const modules: Readonly<Record<string, string>> = {
  "web-editor": `
variable "agent_id" { type = string }
variable "slug" { default = "web-editor" }
variable "folder" { default = "" }
variable "order" {
  type    = number
  default = null
}
resource "workspace_app" "editor" {
  agent_id = var.agent_id
  slug     = var.slug
  order    = var.order
  url      = "http://localhost:13337/?folder=\${var.folder}"
}
resource "workspace_script" "install" {
  agent_id     = var.agent_id
  display_name = "Editor"
  script       = "install-editor"
  run_on_start = true
}
`,
  "desktop-editors": `
variable "agent_id" { type = string }
variable "agent_name" { type = string }
variable "folder" { type = string }
variable "default" {
  type    = set(string)
  default = []
}
resource "workspace_app" "editor" {
  for_each = var.default
  agent_id = var.agent_id
  slug     = lower(each.key)
  url      = "editor://\${var.agent_name}\${var.folder}"
  external = true
}
`,
  region: `
variable "regions" {
  type    = list(string)
  default = ["eu"]
}
variable "default" { default = "eu-1" }
data "workspace_parameter" "region" {
  name    = "region"
  default = var.default
  dynamic "option" {
    for_each = [for region in var.regions : "\${region}-1"]
    content {
      name  = upper(option.value)
      value = option.value
    }
  }
}
output "value" { value = data.workspace_parameter.region.value }
`,
  checkout: `
variable "agent_id" { type = string }
variable "url" { type = string }
variable "base_dir" { default = "~" }
locals { name = trimsuffix(basename(var.url), ".git") }
resource "workspace_script" "checkout" {
  count        = var.url == "" ? 0 : 1
  agent_id     = var.agent_id
  display_name = "Checkout"
  script       = "git clone \${var.url} \${var.base_dir}/\${local.name}"
  run_on_start = true
}
output "repo_dir" { value = "\${var.base_dir}/\${local.name}" }
`,
};

/** A container with two kinds of editors, as the registry's most used template has. */
function container(stack: TerraformStack, at: (name: string) => string): void {
  const me = new workspace.DataWorkspace(stack, "me");
  const main = new workspace.Agent(stack, "main", { os: "linux", arch: "amd64" });
  const web = main.addModule("web", {
    source: at("web-editor"),
    count: me.startCount,
    variables: { order: 1 },
  });
  const desktop = main.addModule("desktop", {
    source: at("desktop-editors"),
    count: me.startCount,
    variables: { agent_name: "main", folder: "/home/dev", default: ["GO", "PY"] },
  });
  for (const module of [web, desktop]) module.overrideLogicalId(module.node.id);
  new DataResource(stack, "container", { count: me.startCount, input: { token: main.token } });
}

const containerInHcl = `
data "workspace_workspace" "me" {}
resource "workspace_agent" "main" {
  os   = "linux"
  arch = "amd64"
}
module "web" {
  source   = "./web-editor"
  count    = data.workspace_workspace.me.start_count
  agent_id = workspace_agent.main.id
  order    = 1
}
module "desktop" {
  source     = "./desktop-editors"
  count      = data.workspace_workspace.me.start_count
  agent_id   = workspace_agent.main.id
  agent_name = "main"
  folder     = "/home/dev"
  default    = ["GO", "PY"]
}
resource "terraform_data" "container" {
  count = data.workspace_workspace.me.start_count
  input = { token = workspace_agent.main.token }
}
`;

/** A machine in a region that a module asks for, whose agent exists only while it runs. */
function machine(stack: TerraformStack, at: (name: string) => string): void {
  const me = new workspace.DataWorkspace(stack, "me");
  const region = new workspace.Module(stack, "region", {
    source: at("region"),
    variables: { regions: ["us", "eu"], default: "us-1" },
  });
  const dev = new workspace.Agent(stack, "dev", {
    os: "linux",
    arch: "amd64",
    count: me.startCount,
  });
  new workspace.Module(stack, "web", {
    source: at("web-editor"),
    count: me.startCount,
    agentId: dev.agentId,
    variables: { slug: "editor", folder: "/home/dev" },
  });
  new DataResource(stack, "machine", {
    count: me.startCount,
    input: { region: region.getString("value"), token: dev.token },
  });
}

const machineInHcl = `
data "workspace_workspace" "me" {}
module "region" {
  source  = "./region"
  regions = ["us", "eu"]
  default = "us-1"
}
resource "workspace_agent" "dev" {
  count = data.workspace_workspace.me.start_count
  os    = "linux"
  arch  = "amd64"
}
module "web" {
  source   = "./web-editor"
  count    = data.workspace_workspace.me.start_count
  agent_id = workspace_agent.dev[0].id
  slug     = "editor"
  folder   = "/home/dev"
}
resource "terraform_data" "machine" {
  count = data.workspace_workspace.me.start_count
  input = { region = module.region.value, token = workspace_agent.dev[0].token }
}
`;

/** A checkout, and an editor for it if it is chosen, as in templates of hosts of containers. */
function checkout(stack: TerraformStack, at: (name: string) => string): void {
  const me = new workspace.DataWorkspace(stack, "me");
  const url = "https://example.com/acme/tools.git";
  const repository = new workspace.DataParameter(stack, "repository", {
    name: "repository",
    default: url,
  });
  const editors = new workspace.DataParameter(stack, "editors", {
    name: "editors",
    type: workspace.ParameterType.LIST_OF_STRINGS,
    default: ["web"],
  });
  const agent = new workspace.Agent(stack, "dev", { os: "linux", arch: "amd64" });
  const agentId = new TerraformLocal(stack, "agent_id", agent.agentId).asString;
  const repo = new workspace.Module(stack, "repo", {
    source: at("checkout"),
    agentId,
    variables: { url: repository.value, base_dir: "/src" },
  });
  const isChosen: unknown = Fn.contains(Fn.jsondecode(Token.asString(editors.value)), "web");
  const web = new workspace.Module(stack, "web", {
    source: at("web-editor"),
    count: Token.asNumber(Fn.conditional(isChosen, me.startCount, 0)),
    agentId,
    variables: { folder: repo.getString("repo_dir") },
    dependsOn: [repo],
  });
  agent.orderScripts({ run: [web], after: [repo] });
  new DataResource(stack, "container", { input: { token: agent.token } });
}

const checkoutInHcl = `
data "workspace_workspace" "me" {}
data "workspace_parameter" "repository" {
  name    = "repository"
  default = "https://example.com/acme/tools.git"
}
data "workspace_parameter" "editors" {
  name    = "editors"
  type    = "list(string)"
  default = jsonencode(["web"])
}
resource "workspace_agent" "dev" {
  os   = "linux"
  arch = "amd64"
}
locals { agent_id = workspace_agent.dev.id }
module "repo" {
  source   = "./checkout"
  agent_id = local.agent_id
  url      = data.workspace_parameter.repository.value
  base_dir = "/src"
}
module "web" {
  source     = "./web-editor"
  count      = contains(jsondecode(data.workspace_parameter.editors.value), "web") ? data.workspace_workspace.me.start_count : 0
  agent_id   = local.agent_id
  folder     = module.repo.repo_dir
  depends_on = [module.repo]
}
data "workspace_script_order" "dev_Order_2BE8C2D9" {
  rule {
    run   = ["module.web"]
    after = ["module.repo"]
  }
}
resource "terraform_data" "container" {
  input = { token = workspace_agent.dev.token }
}
`;

interface Plan {
  readonly planned_values: unknown;
  readonly prior_state?: { readonly values: unknown };
}

/** What Terraform plans in a folder, without what differs in each plan. */
async function planned(work: Workspace, directory: string): Promise<unknown> {
  work.directory = directory;
  await work.init();
  await work.run("validate");
  await work.run("plan", "-out=plan");
  const { stdout } = await work.run("show", "-json", "plan");
  const { planned_values: after, prior_state: before } = JSON.parse(stdout) as Plan;
  const isOfOnePlan = (name: string): boolean => /^(?:id|token|init_script)$/.test(name);
  return JSON.parse(
    JSON.stringify([after, before?.values], (name, value: unknown) =>
      isOfOnePlan(name) ? undefined : value,
    ),
  ) as unknown;
}

describe.each([
  ["a container with editors", container, containerInHcl, []],
  ["a machine in a region", machine, machineInHcl, ["region"]],
  ["a checkout and its editor", checkout, checkoutInHcl, ["editors", "repository"]],
] as const)("%s", (_name, build, hcl, parameters) => {
  it.each(tools)("plans the same as its HCL under %s", async (tool) => {
    const { workspace: work } = await attachedTemplate(tool);
    const sources = join(work.folder, "modules");
    const native = join(work.folder, "native");
    for (const [name, text] of Object.entries(modules)) {
      mkdirSync(join(sources, name), { recursive: true });
      writeFileSync(join(sources, name, "main.tf"), templateText(text));
    }
    cpSync(sources, native, { recursive: true });
    writeFileSync(join(native, "main.tf"), templateText(`provider "workspace" {}\n${hcl}`));

    const app = new App({ outdir: join(work.folder, "cdktf.out") });
    const stack = new TerraformStack(app, "demo");
    new workspace.WorkspaceProvider(stack, "workspace");
    build(stack, (name) => join(sources, name));
    app.synth();
    const synthesized = join(work.folder, "cdktf.out", "stacks", "demo");

    expect(await planned(work, synthesized)).toEqual(await planned(work, native));
    const found = await Promise.all(
      [synthesized, native].map((template, at) =>
        new LocalPlatform({
          template,
          stateFolder: join(work.folder, `platform-${at}`),
          terraform: tool,
          env: work.env,
        }).importTemplate(),
      ),
    );
    expect(found[0]).toEqual(found[1]);
    expect(found[0]?.parameters.map(({ name }) => name)).toEqual(parameters);
  });
});

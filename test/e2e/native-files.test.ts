import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { App, TerraformLocal, TerraformStack, TerraformVariable, Testing } from "cdktf";
import { workspace } from "../../src";
import { LocalPlatform } from "../../src/local/workspace/local-platform";
import { attachedTemplate } from "./support/template";
import { tools } from "./support/tool";
import type { Workspace } from "./support/workspace";

/** Every kind of string that native syntax writes differently from JSON. */
const hostile = `"quoted" \\back\\slash\n\ttab $\${not.this} %%{ if not } 100% 5$ Zürich 🙂`;

function newStack(scope: App, product: workspace.Product): TerraformStack {
  const stack = new TerraformStack(scope, "demo");
  new workspace.WorkspaceProvider(stack, "workspace", { product });
  const team = new TerraformVariable(stack, "team", {
    type: "object({ name = string, tags = map(string) })",
    default: { name: hostile, tags: { "odd.key ${x}": "${y}" } },
    description: hostile,
    validation: [{ condition: '${var.team.name != ""}', errorMessage: 'A "team" is ${"needed"}.' }],
  });
  const me = new workspace.DataWorkspaceOwner(stack, "me");
  const label = new TerraformLocal(stack, "label", {
    [`of \${${me.fqn}.name}`]: `\${${team.fqn}.name}`,
    nested: [{ n: 1e21, text: hostile, lines: '${upper(<<EOT\n  a "}" b\nEOT\n)}' }],
  });
  const zone = new workspace.DataParameter(stack, "zone", {
    name: "zone",
    description: hostile,
    default: "eu-1",
    mutable: true,
    options: [
      { name: "Europe", value: "eu-1", description: 'Say "eu"' },
      { name: "America", value: "us-1" },
    ],
  });
  const pool = new workspace.DataParameter(stack, "pool", {
    name: "pool",
    description: `\${jsonencode(${label.fqn})}`,
    default: `\${join("-", ["pool", ${zone.fqn}.value])}`,
    dependsOn: [zone],
    lifecycle: {
      postcondition: [{ condition: '${self.value != ""}', errorMessage: 'A "pool" is needed' }],
    },
    validation: { regex: "^pool-[\\w-]+$", error: "A pool, 100%" },
  });
  new workspace.DataParameter(stack, "once", {
    name: "once",
    type: workspace.ParameterType.BOOL,
    mutable: true,
    ephemeral: true,
    default: false,
  });
  new workspace.DataWorkspacePreset(stack, "near", {
    name: "Near",
    prebuilds: {
      instances: 1,
      scheduling: { timezone: "UTC", schedules: [{ cron: "* 8-18 * * 1-5", instances: 2 }] },
    },
  }).set(zone, "us-1");
  new workspace.DataWorkspaceTags(stack, "tags", {
    tags: { hostile, pool: pool.value, team: `of \${${team.fqn}.name}` },
  });
  return stack;
}

function synthesize({ folder }: Workspace, product: workspace.Product): string {
  const app = new App({ outdir: join(folder, "cdktf.out") });
  newStack(app, product);
  app.synth();
  return join(folder, "cdktf.out", "stacks", "demo");
}

const files = ["owner", "parameters", "presets", "tags"].map((name) => `workspace-${name}.tf`);

/** What Terraform reads in a folder: the data sources, and the variables. */
async function planned(work: Workspace, directory: string): Promise<unknown> {
  work.directory = directory;
  await work.init();
  await work.run("validate");
  await work.run("plan", "-out=plan");
  const { stdout } = await work.run("show", "-json", "plan");
  const plan = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
  const { variables } = plan;
  const { resources } = (plan as unknown as Shown).prior_state.values.root_module;
  const values = resources.map(({ address, values: all }) => [address, { ...all, id: "" }]);
  return { variables, values: Object.fromEntries(values) as unknown };
}

interface Shown {
  readonly prior_state: {
    readonly values: {
      readonly root_module: {
        readonly resources: readonly {
          readonly address: string;
          readonly values: Readonly<Record<string, unknown>>;
        }[];
      };
    };
  };
}

describe.each(tools)("the native files of a synthesized stack under %s", (tool) => {
  it("mean the same as the JSON", async () => {
    const { workspace: work } = await attachedTemplate(tool);
    const native = synthesize(work, workspace.products.trivet);
    expect(readdirSync(native).sort()).toEqual(["cdk.tf.json", ...files]);
    const json = join(work.folder, "json");
    mkdirSync(json);
    const app = new App({ outdir: join(work.folder, "other.out") });
    const text = Testing.synth(newStack(app, workspace.products.trivet), true);
    writeFileSync(join(json, "cdk.tf.json"), text);
    const found = await planned(work, native);
    expect(found).toEqual(await planned(work, json));
    const read = hostile.replace("$${", "${").replace("%%{", "%{");
    expect(found).toMatchObject({
      values: {
        "data.workspace_workspace_tags.tags": {
          tags: { hostile: read, pool: "pool-eu-1", team: `of ${hostile}` },
        },
        "data.workspace_parameter.zone": {
          description: read,
          option: [{ value: "eu-1", description: 'Say "eu"' }, { value: "us-1" }],
        },
        "data.workspace_parameter.once": { ephemeral: true },
        "data.workspace_workspace_preset.near": { prebuilds: [{ instances: 1 }] },
      },
    });
  });

  it("contain nothing that the platform would not see", async () => {
    const { workspace: work } = await attachedTemplate(tool);
    const platform = new LocalPlatform({
      template: synthesize(work, workspace.products.trivet),
      stateFolder: join(work.folder, "platform"),
      terraform: tool,
      env: work.env,
    });
    const { parameters, warnings } = await platform.importTemplate();
    expect(parameters.map(({ name }) => name).sort()).toEqual(["once", "pool", "zone"]);
    expect(warnings).toEqual([]);
  });

  it("are native syntax for coder as well", async () => {
    const { workspace: work } = await attachedTemplate(tool);
    work.directory = synthesize(work, workspace.products.coder);
    expect(readdirSync(work.directory).sort()).toEqual(["cdk.tf.json", ...files]);
    const tags = readFileSync(join(work.directory, "workspace-tags.tf"), "utf8");
    expect(tags).toContain('data "coder_workspace_tags" "tags"');
    // This requires parsing.
    await work.run("fmt", ...files);
  });
});

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { App, TerraformStack, TerraformVariable } from "cdktf";
import { workspace } from "../../src";
import { LocalPlatform } from "../../src/workspace/local/local-platform";
import { attachedTemplate } from "./support/template";
import { tools } from "./support/tool";
import type { Workspace } from "./support/workspace";

/** Every kind of string that native syntax writes differently from JSON. */
const hostile = `"quoted" \\back\\slash\n\ttab $\${not.this} %%{ if not } 100% 5$ Zürich 🙂`;

function synthesize({ folder }: Workspace, product: workspace.Product): string {
  const app = new App({ outdir: join(folder, "cdktf.out") });
  const stack = new TerraformStack(app, "demo");
  new workspace.WorkspaceProvider(stack, "workspace", { product });
  const team = new TerraformVariable(stack, "team", { type: "string", default: "core" });
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
    default: `\${join("-", ["pool", ${zone.fqn}.value])}`,
    dependsOn: [zone],
    lifecycle: {
      postcondition: [{ condition: '${self.value != ""}', errorMessage: 'A "pool" is needed' }],
    },
    validation: { regex: "^pool-[\\w-]+$", error: "A pool, 100%" },
  });
  new workspace.DataParameter(stack, "size", { name: "size", default: "small" });
  new workspace.DataWorkspaceTags(stack, "tags", {
    tags: { hostile, pool: pool.value, team: `of ${team.stringValue}` },
  });
  app.synth();
  return join(folder, "cdktf.out", "stacks", "demo");
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

describe.each(tools)("the tags of a synthesized stack under %s", (tool) => {
  it("are read from native syntax unchanged", async () => {
    const { workspace: work } = await attachedTemplate(tool);
    work.directory = synthesize(work, workspace.products.trivet);
    expect(readdirSync(work.directory).sort()).toEqual(["cdk.tf.json", "workspace-tags.tf"]);
    await work.init();
    await work.run("validate");
    await work.run("plan", "-out=plan");
    const { stdout } = await work.run("show", "-json", "plan");
    const { resources } = (JSON.parse(stdout) as Shown).prior_state.values.root_module;
    const values = new Map(resources.map((resource) => [resource.address, resource.values]));
    const read = hostile.replace("$${", "${").replace("%%{", "%{");
    expect(values.get("data.workspace_workspace_tags.tags")?.["tags"]).toEqual({
      hostile: read,
      pool: "pool-eu-1",
      team: "of core",
    });
    expect(values.get("data.workspace_parameter.zone")).toMatchObject({
      description: read,
      option: [{ value: "eu-1", description: 'Say "eu"' }, { value: "us-1" }],
    });
    expect(values.has("data.workspace_parameter.size")).toBe(true);
  });

  it("contain nothing that the platform would not read", async () => {
    const { workspace: work } = await attachedTemplate(tool);
    const platform = new LocalPlatform({
      template: synthesize(work, workspace.products.trivet),
      stateFolder: join(work.folder, "platform"),
      terraform: tool,
      env: work.env,
    });
    const { parameters, warnings } = await platform.importTemplate();
    expect(parameters.map(({ name }) => name).sort()).toEqual(["pool", "size", "zone"]);
    expect(warnings).toEqual([]);
  });

  it("are in native syntax for coder too", async () => {
    const { workspace: work } = await attachedTemplate(tool);
    work.directory = synthesize(work, workspace.products.coder);
    const file = join(work.directory, "workspace-tags.tf");
    expect(readFileSync(file, "utf8")).toContain('data "coder_workspace_tags" "tags"');
    // This requires parsing.
    await work.run("fmt", "workspace-tags.tf");
  });
});

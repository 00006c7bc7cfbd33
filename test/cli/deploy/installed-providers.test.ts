import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { terraformPlatform } from "../../../src/cli/package/platform";
import { StackFixture } from "./stack-fixture";

const source = "trivet.local/trivet/ids";

const requiring = (required_providers: object): object => ({ terraform: { required_providers } });

const none = { resource: { terraform_data: { one: {} } } };

describe("the providers that `trivet plan` installs", () => {
  const project = new StackFixture();
  const plugins = join(project.home, ".terraform.d", "plugins");

  beforeEach(() => {
    for (const folder of [project.mirror, plugins])
      rmSync(folder, { recursive: true, force: true });
  });

  it("are those that the chosen stacks require", async () => {
    const workspace = { source: "trivet.local/trivet/workspace", version: "0.0.1" };
    project.write({
      endpoints: requiring({ ids: { source, version: "0.0.1" } }),
      templates: requiring({ workspace }),
    });
    const { stderr } = await project.run(["plan", "endpoints"]);
    expect(stderr).toContain("installed the provider ids 0.0.1");
    expect(project.installed()).toEqual(["ids"]);
    await project.run(["plan", "*"]);
    expect(project.installed()).toEqual(["ids", "workspace"]);
    // Terraform itself, editors and other tools do not see them.
    expect(existsSync(plugins)).toBe(false);
  });

  it("do not hide what is in the user's plugin folder", async () => {
    const platform = join("1.0.0", terraformPlatform());
    const folder = join(plugins, "trivet.local", "acme", "notes", platform);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "terraform-provider-notes"), "#!/bin/sh\nexit 7\n", { mode: 0o755 });
    const notes = { source: "trivet.local/acme/notes", version: "1.0.0" };
    project.write({ both: requiring({ notes, ids: { source, version: "0.0.1" } }) });
    const { stdout, stderr } = await project.run(["plan"]);
    expect(project.installed()).toEqual(["ids"]);
    expect(stdout + stderr).not.toContain("Failed to query");
    const stack = join(project.root, "cdktf.out", "stacks", "both", ".terraform", "providers");
    expect(existsSync(join(stack, "trivet.local", "acme", "notes", platform))).toBe(true);
  });

  it("are none for a stack that requires none of ours", async () => {
    project.write({ one: none });
    const planned = await project.run(["plan"]);
    expect(planned).toMatchObject({ code: 0, stderr: "" });
    expect(planned.stdout).toContain("one: 1 to add");
    expect(existsSync(project.mirror)).toBe(false);
  });

  it("include one that only the state needs", async () => {
    project.write({ old: none });
    const provider = `provider["${source}"]`;
    const instances = [{ schema_version: 0, attributes: { id: "edge" } }];
    const resource = { mode: "managed", type: "ids_endpoint", name: "edge", provider, instances };
    const state = { version: 4, serial: 1, lineage: "old", outputs: {}, resources: [resource] };
    writeFileSync(join(project.root, "terraform.old.tfstate"), JSON.stringify(state));
    const { stdout, stderr } = await project.run(["plan"]);
    expect(project.installed()).toEqual(["ids"]);
    expect(stdout + stderr).not.toContain("Failed to query");
  });

  it("include one that only a module needs", async () => {
    const folder = join(project.root, "module");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "main.tf.json"), JSON.stringify(requiring({ ids: { source } })));
    project.write({ modular: { module: { one: { source: folder } } } });
    const { stdout, stderr } = await project.run(["plan"]);
    expect(project.installed()).toEqual(["ids"]);
    expect(stdout + stderr).not.toContain("Failed to query");
  });
});

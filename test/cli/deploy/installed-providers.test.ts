import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StackFixture } from "./stack-fixture";

const source = "trivet.local/trivet/ids";

const requiring = (required_providers: object): object => ({ terraform: { required_providers } });

const none = { resource: { terraform_data: { one: {} } } };

describe("the providers that `trivet plan` installs", () => {
  const project = new StackFixture();

  beforeEach(() => {
    rmSync(join(project.home, ".terraform.d"), { recursive: true, force: true });
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
  });

  it("are none for a stack that requires none of ours", async () => {
    project.write({ one: none });
    const planned = await project.run(["plan"]);
    expect(planned).toMatchObject({ code: 0, stderr: "" });
    expect(planned.stdout).toContain("one: 1 to add");
    expect(existsSync(project.plugins)).toBe(false);
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

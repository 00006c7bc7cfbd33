import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { waiting } from "./support/command";
import { scenario } from "./support/scenario";
import { StackProject } from "./support/stack-project";
import { tools } from "./support/tool";

describe.each(tools)("`trivet watch` with %s", (tool) => {
  it("deploys after each change, also after a failure, with the same provider", async () => {
    const { service, workspace } = await scenario(tool, { service: { pollsUntilDone: 0 } });
    const project = new StackProject(service, workspace);
    const app = `const { severity } = JSON.parse(require("fs").readFileSync("settings.json"));
      endpoint(stack("one"), "edge", { severity });`;
    const set = (severity: string): void => {
      writeFileSync(join(project.folder, "settings.json"), JSON.stringify({ severity }));
    };
    set("HIGH");
    project.write(app);
    const started = project.start("watch", ["--auto-approve"]);
    const waited = waiting(started);
    await waited(1);
    const [provider, ...others] = workspace.processes();
    expect(others).toEqual([]);

    set("WRONG");
    await waited(2);
    set("LOW");
    await waited(3);
    expect(service.changes).toEqual(["POST edge", "PATCH edge"]);
    project.write(`${app}\nendpoint(app.node.findChild("one"), "office");`);
    await waited(4);
    expect(service.changes.slice(2)).toEqual(["POST office"]);
    expect(workspace.processes()).toEqual([provider]);

    started.child.kill("SIGINT");
    const { code, output } = await started.ended;
    expect(code).toBe(130);
    expect(output).toContain("changed: settings.json");
    expect(output).toContain(`severity: must be`);
    expect(output.split("waiting for changes")).toHaveLength(5);
    expect(readdirSync(project.temporary)).toEqual([]);
  });

  it("needs somebody who approves", async () => {
    const { service, workspace } = await scenario(tool);
    const project = new StackProject(service, workspace);
    const { code, output } = await project.run("watch");
    expect(code).toBe(2);
    expect(output).toContain("Add --auto-approve");
  });
});

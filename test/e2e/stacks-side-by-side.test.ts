import { stripVTControlCharacters } from "node:util";
import { saying, whileRunning } from "./support/command";
import { scenario } from "./support/scenario";
import { isPoll, slowService } from "./support/slow-service";
import { StackProject } from "./support/stack-project";
import { type Tool, tools } from "./support/tool";

/** Two stacks that do not need each other, and a service whose endpoints are not ready before it hurries. */
async function independent(tool: Tool) {
  const { settings, hurry } = slowService();
  const { service, workspace } = await scenario(tool, { service: settings });
  const project = new StackProject(service, workspace);
  project.write(`endpoint(stack("edges"), "edge");
    endpoint(stack("offices"), "office");`);
  return { project, service, hurry };
}

describe.each(tools)("independent stacks with %s", (tool) => {
  it("are deployed at the same time, in lines that name their stack", async () => {
    const { project, service, hurry } = await independent(tool);
    const started = project.start("deploy", ["*", "--auto-approve", "--stack-parallelism", "2"]);
    const said = saying(started);
    await said("edges   | ids_endpoint.edge: creating");
    await said("offices | ids_endpoint.office: creating");
    // Neither is ready before the service hurries, so both are being created.
    hurry();
    const { code, stdout } = await started.ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(/^edges {3}\| ids_endpoint\.edge: created( \(\d+ s\))?$/m);
    expect(stdout).toMatch(/^offices \| ids_endpoint\.office: created( \(\d+ s\))?$/m);
    expect([...service.changes].sort()).toEqual(["POST edge", "POST office"]);
    expect(project.leftovers()).toEqual([]);

    const again = await project.run("plan", "*", "--json");
    expect(JSON.parse(again.stdout)).toMatchObject({
      stacks: [
        { name: "edges", outcome: "unchanged" },
        { name: "offices", outcome: "unchanged" },
      ],
    });
  });

  it("are deployed one after another if only one may run", async () => {
    const { project, hurry } = await independent(tool);
    hurry();
    const { code, stdout } = await project.run(
      ...(["deploy", "*", "--auto-approve", "--stack-parallelism", "1"] as const),
    );
    expect(code).toBe(0);
    expect(stdout.indexOf("edges: deployed")).toBeGreaterThan(0);
    expect(stdout.indexOf("edges: deployed")).toBeLessThan(stdout.indexOf("offices: planning"));
  });

  it("all save their states after Ctrl-C", async () => {
    const { project, service, hurry } = await independent(tool);
    const started = project.start("deploy", ["*", "--auto-approve"]);
    const polled = (name: string) =>
      service.arrival((request) => isPoll(request) && service.changes.includes(`POST ${name}`));
    await whileRunning(
      started,
      Promise.all([polled("edge"), polled("office")]).then(() => undefined),
    );
    started.child.kill("SIGINT");
    const { code, output } = await started.ended;
    expect(code).toBe(130);
    expect(output).toContain("edges: interrupted");
    expect(output).toContain("offices: interrupted");
    expect(output.split("Waiting until Terraform has saved its state").length).toBe(2);
    expect(project.leftovers()).toEqual([]);
    hurry();
    const { stdout } = await project.run("plan", "*");
    expect(stdout.match(/it was not created completely/g)).toHaveLength(2);
  });

  it("are approved one after another, each below its changes", async () => {
    const { project, service, hurry } = await independent(tool);
    hurry();
    const { code, output } = await project.onTerminal("deploy", ["*"], "yes\n");
    expect(code).toBe(0);
    const questions = stripVTControlCharacters(output).match(
      /: 1 to add[\r\n]+Make these changes in \w+\?/g,
    );
    expect(questions).toHaveLength(2);
    expect([...service.changes].sort()).toEqual(["POST edge", "POST office"]);
  });
});

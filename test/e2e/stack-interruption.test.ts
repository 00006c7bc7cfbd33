import { spawnSync } from "node:child_process";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isProcessAlive } from "../../src/core/process/process-facts";
import { until } from "../until";
import { type Started, whileRunning, words } from "./support/command";
import { scenario } from "./support/scenario";
import { isPoll, slowService } from "./support/slow-service";
import { StackProject } from "./support/stack-project";
import { type Tool, tools } from "./support/tool";

/** A deployment that is creating an endpoint, which is not ready before the service hurries. */
async function whileDeploying(tool: Tool) {
  const { settings, hurry } = slowService();
  const { service, workspace } = await scenario(tool, { service: settings });
  const project = new StackProject(service, workspace);
  project.write(`const first = stack("first");
    const edge = endpoint(first, "edge");
    endpoint(stack("second"), "office", { description: edge.name });`);
  const polled = service.arrival(isPoll);
  const started = project.start("deploy", ["*", "--auto-approve"]);
  await whileRunning(started, polled);
  return { project, service, workspace, started, hurry };
}

/** The processes that a command has started, and all that these have started. */
function descendants({ child }: Started): readonly number[] {
  const { stdout } = spawnSync("ps", ["axo", "pid=,ppid="], { encoding: "utf8" });
  const pairs = stdout.split("\n").map((line) => line.trim().split(/\s+/).map(Number));
  const below = (parent: number): number[] =>
    pairs.filter(([, above]) => above === parent).flatMap(([pid = 0]) => [pid, ...below(pid)]);
  return below(child.pid ?? 0);
}

const isAlive = (pid: number): boolean => isProcessAlive({ pid, start: undefined });

describe.each(tools)("Ctrl-C during `trivet deploy` with %s", (tool) => {
  it("lets Terraform save its state, and leaves no process and no plan behind", async () => {
    const { project, started, hurry, service } = await whileDeploying(tool);
    const [folder = ""] = project
      .leftovers()
      .filter((name) => readdirSync(join(project.temporary, name)).includes("plan"));
    expect(statSync(join(project.temporary, folder)).mode & 0o777).toBe(0o700);
    expect(statSync(join(project.temporary, folder, "plan")).mode & 0o777).toBe(0o600);
    const processes = descendants(started);
    expect(processes.length).toBeGreaterThanOrEqual(2);

    started.child.kill("SIGINT");
    const { code, output } = await started.ended;
    expect(code).toBe(130);
    const said = words(output);
    expect(said).toContain("Waiting until Terraform has saved its state.");
    expect(said).toContain("Error: Interrupted");
    expect(said).toContain("first: interrupted");
    expect(said).toContain("second: not run");
    expect(processes.filter(isAlive)).toEqual([]);
    expect(project.leftovers()).toEqual([]);

    hurry();
    const again = await project.run("deploy", "*", "--auto-approve");
    expect(again).toMatchObject({ code: 0 });
    expect(again.stdout).toMatch(
      /ids_endpoint\.edge at main\.js:11:10: is replaced; it was not created completely/,
    );
    expect(service.changes).toEqual(["POST edge", "DELETE edge", "POST edge", "POST office"]);
  });

  it("is not needed when nobody reads the output: the deployment is finished", async () => {
    const { project, started, hurry, service } = await whileDeploying(tool);
    started.child.stdout?.destroy();
    hurry();
    expect(await started.ended).toMatchObject({ code: 0 });
    expect(service.changes).toEqual(["POST edge", "POST office"]);
    const { stdout } = await project.run("plan", "*");
    expect(stdout).toContain("first: no changes");
    expect(stdout).toContain("second: no changes");
    expect(project.leftovers()).toEqual([]);
  });

  it("ends everything at the third time, even a Terraform that does not react", async () => {
    const { service, workspace } = await scenario(tool);
    const project = new StackProject(service, workspace);
    project.write(`endpoint(stack("one"), "edge");`);
    const command = join(workspace.folder, "terraform");
    const deaf = `#!/bin/sh\ntrap '' INT\ncase $1 in version) exec ${tool} version;; esac\n`;
    writeFileSync(command, `${deaf}sleep 1000 & echo started >"$0.started"; wait; wait\n`, {
      mode: 0o755,
    });
    const started = project.start("plan", [], { TERRAFORM_BINARY_NAME: command });
    await whileRunning(
      started,
      until(() => readdirSync(workspace.folder).includes("terraform.started")),
    );
    const processes = descendants(started);
    expect(processes.length).toBeGreaterThanOrEqual(2);
    for (let count = 1; count <= 3; count++) started.child.kill("SIGINT");
    // Signals that arrive at once are one.
    const repeat = setInterval(() => started.child.kill("SIGINT"), 100);
    const { code } = await started.ended.finally(() => {
      clearInterval(repeat);
    });
    expect(code).toBe(130);
    expect(processes.filter(isAlive)).toEqual([]);
    expect(project.leftovers()).toEqual([]);
  });

  it("ends an app at once, with all that it has started", async () => {
    const { service, workspace } = await scenario(tool);
    const project = new StackProject(service, workspace);
    project.configure({ app: "sleep 1000 & echo started >started; wait" });
    const started = project.start("plan", []);
    await whileRunning(
      started,
      until(() => readdirSync(project.folder).includes("started")),
    );
    const processes = descendants(started);
    started.child.kill("SIGTERM");
    expect(await started.ended).toMatchObject({ code: 143 });
    await until(() => processes.every((pid) => !isAlive(pid)));
    expect(project.leftovers()).toEqual([]);
  });
});

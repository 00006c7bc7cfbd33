import { join } from "node:path";
import { root } from "./support/build";
import { interrupt, startCommand, whileRunning, words } from "./support/command";
import { installation } from "./support/installation";
import { skipTime } from "../skip-time";
import { until } from "../until";
import { attachedScenario, configuration, endpoint, scenario } from "./support/scenario";
import { isPoll, slowService } from "./support/slow-service";
import { type Tool, tools } from "./support/tool";

/** A service whose operations are slow, and a folder in which one of its endpoints is to be created. */
async function slowCreation(tool: Tool) {
  const { settings, hurry } = slowService();
  const { service, workspace } = await scenario(tool, { service: settings });
  workspace.write(configuration(service, endpoint("edge")));
  await workspace.init();
  return { service, workspace, hurry, polled: service.arrival(isPoll) };
}

/** The same after the command that creates the endpoint was interrupted. */
async function interruptedCreation(tool: Tool) {
  const made = await slowCreation(tool);
  const apply = made.workspace.start(["apply", "-auto-approve"]);
  await whileRunning(apply, made.polled);
  interrupt(apply);
  const { code, output } = await apply.ended;
  return { ...made, code, said: words(output) };
}

describe.each(tools)("an operation that ends early under %s", (tool) => {
  it("an interrupted creation is in the state, tainted, and the next apply converges", async () => {
    const { service, workspace, hurry, code, said } = await interruptedCreation(tool);
    expect(code).toBe(1);
    expect(said).toContain("Error: Interrupted");
    expect(said).toMatch(/The operation is projects\/acme\/locations\/us-central1-a\/operations\//);
    expect((await workspace.state()).get("ids_endpoint.edge")).toMatchObject({
      tainted: true,
      values: { name: "projects/acme/locations/us-central1-a/endpoints/edge" },
    });

    hurry();
    await workspace.apply();
    expect(service.changes).toEqual(["POST edge", "DELETE edge", "POST edge"]);
    expect(await service.endpoints()).toEqual([expect.objectContaining({ state: "READY" })]);
    expect(await workspace.plansChanges()).toBe(false);
  });

  it("an interrupted creation is kept by `untaint`, as the message says", async () => {
    const { service, workspace, hurry, said } = await interruptedCreation(tool);
    expect(said).toContain("the next apply deletes it and creates it again");
    expect(said).toContain("run terraform untaint ADDRESS");

    hurry();
    await until(async () => (await service.endpoints())[0]?.["state"] === "READY");
    await workspace.run("untaint", "ids_endpoint.edge");
    await workspace.apply();
    expect(service.changes).toEqual(["POST edge"]);
    const { values } = (await workspace.state()).get("ids_endpoint.edge") ?? {};
    expect(values).toMatchObject({ state: "READY", severity: "HIGH" });
    expect(values?.["endpoint_ip"]).toMatch(/^10\./);
    expect(await workspace.plansChanges()).toBe(false);
  });

  it("`trivet exec` passes an interrupt on, and waits until the state is saved", async () => {
    const { workspace, polled } = await slowCreation(tool);
    const trivet = join(root, "dist", "src", "cli", "main.js");
    const exec = [trivet, "exec", "--dir", installation().mirror, "--"];
    const apply = startCommand(process.execPath, [...exec, tool, "apply", "-auto-approve"], {
      cwd: workspace.folder,
      env: workspace.env,
    });
    await whileRunning(apply, polled);
    apply.child.kill("SIGINT");
    const { code, output } = await apply.ended;
    expect(code).toBe(1);
    expect(words(output)).toContain("Error: Interrupted");
    expect((await workspace.state()).get("ids_endpoint.edge")?.tainted).toBe(true);
  });

  it("an interrupted request without a response is repeated by the next apply", async () => {
    const { service, workspace } = await scenario(tool);
    service.fault = ({ method }) =>
      method === "POST" ? { kind: "never answer", afterEffect: true } : undefined;
    workspace.write(configuration(service, endpoint("edge")));
    await workspace.init();
    const posted = service.arrival(({ method }) => method === "POST");
    const apply = workspace.start(["apply", "-auto-approve"]);
    await whileRunning(apply, posted);
    interrupt(apply);
    expect(words((await apply.ended).output)).toContain("Error: Interrupted");
    expect((await workspace.state()).size).toBe(0);

    service.fault = () => undefined;
    await workspace.apply();
    const ids = service.creationIds;
    expect(ids).toEqual([ids[0], ids[0]]);
    expect(await service.endpoints()).toHaveLength(1);
  });

  it("a creation that exceeds its timeout is continued by the next apply, and the message says so", async () => {
    const { settings, hurry } = slowService();
    const { service, workspace } = await attachedScenario(tool, { service: settings });
    // The hour has passed when the provider first polls the operation.
    service.fault = (request) => {
      if (isPoll(request)) skipTime(3_600_000);
      return undefined;
    };
    const timeouts = `  timeouts {\n    create = "1h"\n  }`;
    workspace.write(configuration(service, endpoint("edge", {}, timeouts)));
    const { code, output } = await workspace.attempt(["apply", "-auto-approve"]);
    expect(code).toBe(1);
    const said = words(output);
    expect(said).toContain("Error: Operation Timed Out");
    expect(said).toContain('timeouts { create = "…" }');
    expect(said).toContain("Apply again: the endpoint is then awaited");
    expect((await workspace.state()).size).toBe(0);

    service.fault = () => undefined;
    hurry();
    await workspace.apply();
    expect(service.changes).toEqual(["POST edge"]);
    expect(await service.endpoints()).toEqual([expect.objectContaining({ state: "READY" })]);
    expect(await workspace.plansChanges()).toBe(false);
  });

  it("a failed deletion keeps the endpoint in the state", async () => {
    const { service, workspace } = await scenario(tool);
    workspace.write(configuration(service, endpoint("edge")));
    await workspace.init();
    await workspace.apply();
    service.fault = ({ method }) =>
      method === "DELETE" ? { kind: "answer", status: 403 } : undefined;
    const { code, output } = await workspace.attempt(["destroy", "-auto-approve"]);
    expect(code).toBe(1);
    expect(words(output)).toContain("Error: Permission Denied");
    expect((await workspace.state()).size).toBe(1);
  });
});

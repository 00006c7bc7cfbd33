import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { LocalRequest } from "../../src/ids/local/call";
import { root } from "./support/build";
import { interrupt, startCommand, words } from "./support/command";
import { installation } from "./support/installation";
import {
  type Scenario,
  attachedScenario,
  configuration,
  endpoint,
  scenario,
} from "./support/scenario";
import type { Service } from "./support/service";
import { type Tool, tools } from "./support/tool";

const folder = mkdtempSync(join(tmpdir(), "trivet-e2e-service-"));

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const isPoll = ({ path }: LocalRequest): boolean => path.includes("/operations/");

/** Operations of the service take ten seconds of a time that stands still until it is hurried. */
function slowService() {
  const clock = { time: Date.parse("2026-03-01T12:00:00Z"), step: 0 };
  return {
    settings: { clock: { now: () => (clock.time += clock.step) }, operationDurationMs: 10_000 },
    /** From now on every look at the clock is ten seconds after the one before. */
    hurry: () => (clock.step = 10_000),
  };
}

const edge = "projects/acme/locations/us-central1-a/endpoints/edge";

const requestIds = (service: Service) =>
  service.sent("POST").map(({ query }) => query.get("requestId"));

/** The provider was killed after the service had done its work; the service is quick from now on. */
async function killedDuringCreate(tool: Tool): Promise<Scenario> {
  const { settings, hurry } = slowService();
  const made = await scenario(tool, { service: settings });
  const { service, workspace } = made;
  workspace.write(configuration(service, endpoint("edge")));
  await workspace.init();
  const polled = service.arrival(isPoll);
  const apply = workspace.start(["apply", "-auto-approve"]);
  await polled;
  const running = workspace.processes();
  expect(running).toHaveLength(1);
  for (const pid of running) process.kill(pid, "SIGKILL");
  expect((await apply.ended).code).toBe(1);
  hurry();
  return made;
}

describe.each(tools)("when something ends too soon under %s", (tool) => {
  it("an interrupted creation is in the state, tainted, and the next apply converges", async () => {
    const { settings, hurry } = slowService();
    const { service, workspace } = await scenario(tool, { service: settings });
    workspace.write(configuration(service, endpoint("edge")));
    await workspace.init();
    const polled = service.arrival(isPoll);
    const apply = workspace.start(["apply", "-auto-approve"]);
    await polled;
    interrupt(apply);
    const { code, output } = await apply.ended;
    expect(code).toBe(1);
    const said = words(output);
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

  it("`trivet exec` passes an interrupt on, and stays until the state is saved", async () => {
    const { settings } = slowService();
    const { service, workspace } = await scenario(tool, { service: settings });
    workspace.write(configuration(service, endpoint("edge")));
    await workspace.init();
    const polled = service.arrival(isPoll);
    const trivet = join(root, "dist", "src", "cli", "main.js");
    const exec = [trivet, "exec", "--dir", installation().mirror, "--"];
    const apply = startCommand(process.execPath, [...exec, tool, "apply", "-auto-approve"], {
      cwd: workspace.folder,
      env: workspace.env,
    });
    await polled;
    apply.child.kill("SIGINT");
    const { code, output } = await apply.ended;
    expect(code).toBe(1);
    expect(words(output)).toContain("Error: Interrupted");
    expect((await workspace.state()).get("ids_endpoint.edge")?.tainted).toBe(true);
  });

  it("a killed provider has made one endpoint, which the next apply takes over", async () => {
    const { service, workspace } = await killedDuringCreate(tool);
    expect((await workspace.state()).size).toBe(0);
    expect(await service.endpoints()).toHaveLength(1);

    expect((await workspace.apply()).output).toContain("1 added, 0 changed, 0 destroyed");
    expect(await service.endpoints()).toHaveLength(1);
    const ids = requestIds(service);
    expect(ids).toEqual([ids[0], ids[0]]);
    expect(await workspace.plansChanges()).toBe(false);
  });

  it("a killed provider's endpoint is brought to what the configuration says by then", async () => {
    const { service, workspace } = await killedDuringCreate(tool);
    workspace.write(configuration(service, endpoint("edge", { severity: `"LOW"` })));
    await workspace.apply();
    expect(service.changes).toEqual(["POST edge", "POST edge", "PATCH edge"]);
    expect(await service.endpoints()).toEqual([expect.objectContaining({ severity: "LOW" })]);
    expect(await workspace.plansChanges()).toBe(false);
  });

  it("a killed provider's endpoint that was deleted outside is created anew", async () => {
    const { service, workspace } = await killedDuringCreate(tool);
    await service.call("GET", edge);
    await service.call("DELETE", edge);
    await service.endpoints();
    expect(await service.endpoints()).toEqual([]);
    await workspace.apply();
    const ids = requestIds(service);
    expect(ids).toEqual([ids[0], ids[0], expect.not.stringMatching(ids[0] ?? "")]);
    expect(await service.endpoints()).toHaveLength(1);
  });

  it("a killed provider's endpoint that was imported and destroyed can be created again", async () => {
    const { service, workspace } = await killedDuringCreate(tool);
    await workspace.run("import", "ids_endpoint.edge", edge);
    await workspace.run("destroy", "-auto-approve");
    await workspace.apply();
    const ids = requestIds(service);
    expect(ids).toEqual([ids[0], expect.not.stringMatching(ids[0] ?? "")]);
    expect(await service.endpoints()).toHaveLength(1);
  });

  it("a killed tool leaves no provider behind, and the next apply takes its endpoint over", async () => {
    const { settings, hurry } = slowService();
    const { service, workspace } = await scenario(tool, { service: settings });
    workspace.write(configuration(service, endpoint("edge")));
    await workspace.init();
    const polled = service.arrival(isPoll);
    const apply = workspace.start(["apply", "-auto-approve"]);
    await polled;
    expect(workspace.processes()).toHaveLength(1);
    apply.child.kill("SIGKILL");
    while (workspace.processes().length > 0) await wait(100);
    expect((await workspace.state()).size).toBe(0);

    hurry();
    await workspace.apply();
    expect(service.changes).toEqual(["POST edge", "POST edge"]);
    expect(await service.endpoints()).toHaveLength(1);
    expect(await workspace.plansChanges()).toBe(false);
  });

  it("an interrupted request whose answer is missing is repeated by the next apply", async () => {
    const { service, workspace } = await scenario(tool);
    service.fault = ({ method }) => (method === "POST" ? "hang" : undefined);
    workspace.write(configuration(service, endpoint("edge")));
    await workspace.init();
    const posted = service.arrival(({ method }) => method === "POST");
    const apply = workspace.start(["apply", "-auto-approve"]);
    await posted;
    interrupt(apply);
    expect(words((await apply.ended).output)).toContain("Error: Interrupted");
    expect((await workspace.state()).size).toBe(0);

    service.fault = () => undefined;
    await workspace.apply();
    const ids = requestIds(service);
    expect(ids).toEqual([ids[0], ids[0]]);
    expect(await service.endpoints()).toHaveLength(1);
  });

  it.each(["reset after effect", "reset before effect", "hang"] as const)(
    "a request lost by %s is repeated under its own id, and one endpoint comes of it",
    async (fault) => {
      const { service, workspace } = await attachedScenario(tool);
      let isFirst = true;
      service.fault = ({ method }) => {
        if (method !== "POST" || !isFirst) return undefined;
        isFirst = false;
        return fault;
      };
      const settings = { request_timeout: `"1s"` };
      workspace.write(configuration(service, endpoint("edge"), settings));
      await workspace.apply();
      const ids = requestIds(service);
      expect(ids).toEqual([ids[0], ids[0]]);
      expect(await service.endpoints()).toHaveLength(1);
    },
  );

  it("a service that restarts during a creation is asked again", async () => {
    const { settings, hurry } = slowService();
    const stateFile = join(folder, "service.json");
    const { service, workspace } = await scenario(tool, { service: { ...settings, stateFile } });
    workspace.write(configuration(service, endpoint("edge")));
    await workspace.init();
    const polled = service.arrival(isPoll);
    const apply = workspace.start(["apply", "-auto-approve"]);
    await polled;
    await service.restart();
    hurry();
    expect((await apply.ended).code).toBe(0);
    expect(service.changes).toEqual(["POST edge"]);
  });

  it("a creation that takes longer than its time-out is tainted, and says how to wait longer", async () => {
    const { settings, hurry } = slowService();
    const { service, workspace } = await scenario(tool, { service: settings });
    const timeouts = `  timeouts {\n    create = "1s"\n  }`;
    workspace.write(configuration(service, endpoint("edge", {}, timeouts)));
    await workspace.init();
    const { code, output } = await workspace.attempt(["apply", "-auto-approve"]);
    expect(code).toBe(1);
    const said = words(output);
    expect(said).toContain("Error: Operation Timed Out");
    expect(said).toContain('timeouts { create = "…" }');
    expect((await workspace.state()).get("ids_endpoint.edge")?.tainted).toBe(true);

    hurry();
    await workspace.apply();
    expect(await service.endpoints()).toHaveLength(1);
    expect(await workspace.plansChanges()).toBe(false);
  });

  it("a failed deletion leaves the endpoint in the state", async () => {
    const { service, workspace } = await scenario(tool);
    workspace.write(configuration(service, endpoint("edge")));
    await workspace.init();
    await workspace.apply();
    service.fault = ({ method }) => (method === "DELETE" ? { status: 403 } : undefined);
    const { code, output } = await workspace.attempt(["destroy", "-auto-approve"]);
    expect(code).toBe(1);
    expect(words(output)).toContain("Error: Permission Denied");
    expect((await workspace.state()).size).toBe(1);
  });
});

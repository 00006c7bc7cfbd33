import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Fault } from "../local/service/answering-faults";
import { whileRunning, words } from "./support/command";
import {
  type Scenario,
  attachedScenario,
  configuration,
  endpoint,
  scenario,
} from "./support/scenario";
import { isPoll, slowService } from "./support/slow-service";
import { type Tool, tools } from "./support/tool";

const edge = "projects/acme/locations/us-central1-a/endpoints/edge";

const folder = mkdtempSync(join(tmpdir(), "trivet-e2e-service-"));

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/**
 * The provider was killed after the service had handled the request. From now on the service is
 * fast.
 */
async function killedDuringCreate(tool: Tool): Promise<Scenario> {
  const { settings, hurry } = slowService();
  const made = await scenario(tool, { service: settings });
  const { service, workspace } = made;
  workspace.write(configuration(service, endpoint("edge")));
  await workspace.init();
  const polled = service.arrival(isPoll);
  const apply = workspace.start(["apply", "-auto-approve"]);
  await whileRunning(apply, polled);
  const running = workspace.processes();
  expect(running).toHaveLength(1);
  for (const pid of running) process.kill(pid, "SIGKILL");
  expect((await apply.ended).code).toBe(1);
  hurry();
  return made;
}

describe.each(tools)("when something is killed during a creation under %s", (tool) => {
  it("a killed provider has created one endpoint, which the next apply takes over", async () => {
    const { service, workspace } = await killedDuringCreate(tool);
    expect((await workspace.state()).size).toBe(0);
    expect(await service.endpoints()).toHaveLength(1);

    expect((await workspace.apply()).output).toContain("1 added, 0 changed, 0 destroyed");
    expect(await service.endpoints()).toHaveLength(1);
    const ids = service.creationIds;
    expect(ids).toEqual([ids[0], ids[0]]);
    // The journal needs nothing any more once the provider has ended in order.
    const intents = join(workspace.env["XDG_STATE_HOME"] ?? "", "trivet", "intents");
    expect(readdirSync(intents)).toEqual([]);
    expect(await workspace.plansChanges()).toBe(false);
  });

  it("a killed provider's endpoint is updated to the current configuration", async () => {
    const { service, workspace } = await killedDuringCreate(tool);
    workspace.write(configuration(service, endpoint("edge", { severity: `"LOW"` })));
    await workspace.apply();
    expect(service.changes).toEqual(["POST edge", "POST edge", "PATCH edge"]);
    expect(await service.endpoints()).toEqual([expect.objectContaining({ severity: "LOW" })]);
    expect(await workspace.plansChanges()).toBe(false);
  });

  it("a killed provider's endpoint that was deleted elsewhere is created again", async () => {
    const { service, workspace } = await killedDuringCreate(tool);
    await service.call("GET", edge);
    await service.call("DELETE", edge);
    await service.endpoints();
    expect(await service.endpoints()).toEqual([]);
    await workspace.apply();
    const ids = service.creationIds;
    expect(ids).toEqual([ids[0], ids[0], expect.not.stringMatching(ids[0] ?? "")]);
    expect(await service.endpoints()).toHaveLength(1);
  });

  it("a killed provider's endpoint that was imported and destroyed can be created again", async () => {
    const { service, workspace } = await killedDuringCreate(tool);
    await workspace.run("import", "ids_endpoint.edge", edge);
    await workspace.run("destroy", "-auto-approve");
    await workspace.apply();
    const ids = service.creationIds;
    expect(ids).toEqual([ids[0], expect.not.stringMatching(ids[0] ?? "")]);
    expect(await service.endpoints()).toHaveLength(1);
  });

  it("a killed provider's endpoint is refused to another root module, and stays with its own", async () => {
    const { service, workspace } = await killedDuringCreate(tool);
    workspace.directory = join(workspace.folder, "other");
    mkdirSync(workspace.directory);
    const other = configuration(service, endpoint("edge", { severity: `"LOW"` }));
    workspace.write(other, "other/main.tf");
    await workspace.init();
    const { code, output } = await workspace.attempt(["apply", "-auto-approve"]);
    expect(code).toBe(1);
    expect(output).toContain("Endpoint Already Exists");
    expect(words(output)).toContain(`terraform import ADDRESS ${edge}`);
    expect((await workspace.state()).size).toBe(0);
    expect(await service.endpoints()).toEqual([expect.objectContaining({ severity: "HIGH" })]);

    workspace.directory = workspace.folder;
    await workspace.apply();
    const ids = service.creationIds;
    expect(ids).toEqual([ids[0], expect.not.stringMatching(ids[0] ?? ""), ids[0]]);
    expect(service.changes).toEqual(["POST edge", "POST edge", "POST edge"]);
    expect(await workspace.plansChanges()).toBe(false);
  });

  it("another machine that shares the journal takes the endpoint over", async () => {
    const { settings, hurry } = slowService();
    const { service, workspace } = await scenario(tool, { service: settings });
    const env = { TRIVET_JOURNAL: join(workspace.folder, "journal") };
    /** A machine of a pipeline: its own folders, but the same stack. */
    const onMachine = async (name: string) => {
      workspace.directory = join(workspace.folder, name, "stack");
      mkdirSync(workspace.directory, { recursive: true });
      workspace.write(configuration(service, endpoint("edge")), `${name}/stack/main.tf`);
      await workspace.init();
      return workspace.start(["apply", "-auto-approve"], {
        ...env,
        XDG_STATE_HOME: join(workspace.folder, name, "state"),
      });
    };
    const polled = service.arrival(isPoll);
    const first = await onMachine("one");
    await whileRunning(first, polled);
    process.kill(-(first.child.pid ?? 0), "SIGKILL");
    for (const pid of workspace.processes()) process.kill(pid, "SIGKILL");
    await first.ended;
    hurry();

    const second = await (await onMachine("two")).ended;
    expect(second.output).toContain("1 added, 0 changed, 0 destroyed");
    const ids = service.creationIds;
    expect(ids).toEqual([ids[0], ids[0]]);
    expect(await service.endpoints()).toHaveLength(1);
    expect(readdirSync(env.TRIVET_JOURNAL)).toEqual([]);
  });

  it("a creation that was refused beside it does not keep the next apply from taking it over", async () => {
    const { settings, hurry } = slowService();
    const { service, workspace } = await scenario(tool, { service: settings });
    workspace.write(configuration(service, endpoint("edge")));
    await workspace.init();
    const polled = service.arrival(isPoll);
    const apply = workspace.start(["apply", "-auto-approve", "-lock=false"]);
    await whileRunning(apply, polled);
    const running = workspace.processes();
    const { output } = await workspace.attempt(["apply", "-auto-approve", "-lock=false"]);
    expect(output).toContain("Endpoint Already Exists");
    for (const pid of running) process.kill(pid, "SIGKILL");
    await apply.ended;

    hurry();
    await workspace.apply();
    const ids = service.creationIds;
    expect(ids).toEqual([ids[0], expect.not.stringMatching(ids[0] ?? ""), ids[0]]);
    expect(await workspace.plansChanges()).toBe(false);
  });

  it("a killed tool leaves no provider running, and the next apply takes its endpoint over", async () => {
    const { settings, hurry } = slowService();
    const { service, workspace } = await scenario(tool, { service: settings });
    workspace.write(configuration(service, endpoint("edge")));
    await workspace.init();
    const polled = service.arrival(isPoll);
    const apply = workspace.start(["apply", "-auto-approve"]);
    await whileRunning(apply, polled);
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

  it.each<[string, Fault, Readonly<Record<string, string>>]>([
    ["reset after effect", { kind: "reset", afterEffect: true }, {}],
    ["reset before effect", { kind: "reset" }, {}],
    ["hang", { kind: "never answer", afterEffect: true }, { request_timeout: `"1s"` }],
  ])(
    "a request lost by %s is repeated with its own ID, and creates one endpoint",
    async (_, fault, settings) => {
      const { service, workspace } = await attachedScenario(tool);
      let isFirst = true;
      service.fault = ({ method }) => {
        if (method !== "POST" || !isFirst) return undefined;
        isFirst = false;
        return fault;
      };
      workspace.write(configuration(service, endpoint("edge"), settings));
      await workspace.apply();
      const [first, ...repeats] = service.creationIds;
      expect(new Set(repeats)).toEqual(new Set([first]));
      // On a slow machine, the repeated request may also time out.
      if (fault.kind === "reset") expect(repeats).toHaveLength(1);
      expect(await service.endpoints()).toHaveLength(1);
    },
  );

  it("a request is repeated when the service restarts during a creation", async () => {
    const { settings, hurry } = slowService();
    const stateFile = join(folder, `${tool}.json`);
    const { service, workspace } = await scenario(tool, { service: { ...settings, stateFile } });
    workspace.write(configuration(service, endpoint("edge")));
    await workspace.init();
    const polled = service.arrival(isPoll);
    const apply = workspace.start(["apply", "-auto-approve"]);
    await whileRunning(apply, polled);
    await service.restart();
    hurry();
    expect((await apply.ended).code).toBe(0);
    expect(service.changes).toEqual(["POST edge"]);
  });
});

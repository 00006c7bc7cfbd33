import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../until";
import { type Started, whileRunning, words } from "./support/command";
import { configuration, endpoint, scenario } from "./support/scenario";
import { isPoll, slowService } from "./support/slow-service";
import { type Tool, tools } from "./support/tool";
import { startScript } from "./support/warm";

const apply = "apply -auto-approve";

/** The folder of `trivet exec`, which must be empty afterwards. Short, because of the sockets in it. */
const temporary = mkdtempSync(join(tmpdir(), "tw-"));

afterAll(() => {
  rmSync(temporary, { recursive: true, force: true });
});

/** A script that is creating an endpoint, which will not be ready before the service hurries. */
async function whileCreating(tool: Tool, script: string) {
  const { settings, hurry } = slowService();
  const { service, workspace } = await scenario(tool, { service: settings });
  workspace.write(configuration(service, endpoint("edge")));
  await workspace.init();
  const polled = service.arrival(isPoll);
  const started = startScript(workspace, script, { env: { TMPDIR: temporary } });
  const toolPid = pidPrinted(started, "tool");
  await whileRunning(started, polled);
  return { service, workspace, hurry, started, toolPid };
}

/** Collects what a script prints: the PID that it prints after a word. */
function pidPrinted({ child }: Started, word: string): () => number | undefined {
  let text = "";
  child.stdout?.on("data", (data: Buffer) => (text += data.toString()));
  return () => {
    const found = new RegExp(`^${word}:(\\d+)$`, "m").exec(text)?.[1];
    return found === undefined ? undefined : Number(found);
  };
}

/** Sends a signal to the tool that a script has started in the background. */
async function signalTool(toolPid: () => number | undefined, signal: NodeJS.Signals) {
  await until(() => toolPid() !== undefined);
  process.kill(toolPid() ?? Number.NaN, signal);
}

describe.each(tools)("when something ends early under `trivet exec --warm` with %s", (tool) => {
  it("a crash is told with the provider's name, and the next command takes its endpoint over", async () => {
    const { service, workspace, hurry, started } = await whileCreating(
      tool,
      `${tool} ${apply}; echo "code $?"; ${tool} ${apply}`,
    );
    const running = workspace.processes();
    expect(running).toHaveLength(1);
    hurry();
    for (const pid of running) process.kill(pid, "SIGKILL");
    const { code, output, stdout } = await started.ended;
    expect(code).toBe(0);
    expect(output).toContain("trivet: the provider ids crashed: it was ended by SIGKILL.");
    expect(stdout).toContain("code 1");
    expect(stdout).toContain("1 added, 0 changed, 0 destroyed");
    const ids = service.creationIds;
    expect(ids).toEqual([ids[0], ids[0]]);
    expect(await service.endpoints()).toHaveLength(1);
    expect(await workspace.plansChanges()).toBe(false);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("an interrupt leaves a tainted endpoint in the state, no process and no folder", async () => {
    const { workspace, started } = await whileCreating(tool, `exec ${tool} ${apply}`);
    // To `trivet exec` alone: without a terminal, it passes the interrupt on. Terraform does not survive two.
    started.child.kill("SIGINT");
    const { code, output } = await started.ended;
    expect(code).toBe(1);
    expect(words(output)).toContain("Error: Interrupted");
    expect(output).not.toContain("crashed");
    expect((await workspace.state()).get("ids_endpoint.edge")?.tainted).toBe(true);
    expect(await workspace.outliving()).toEqual([]);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it.each(["SIGTERM", "SIGHUP"] as const)("%s to `trivet exec` is passed on", async (signal) => {
    const { workspace, started } = await whileCreating(tool, `exec ${tool} ${apply}`);
    started.child.kill(signal);
    const { code } = await started.ended;
    expect(code).not.toBe(0);
    expect(await workspace.outliving()).toEqual([]);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("an interrupted request without a response is repeated by the next command of the same run", async () => {
    const { service, workspace } = await scenario(tool);
    service.fault = ({ method }) =>
      method === "POST" ? { kind: "never answer", afterEffect: true } : undefined;
    workspace.write(configuration(service, endpoint("edge")));
    await workspace.init();
    const posted = service.arrival(({ method }) => method === "POST");
    const started = startScript(
      workspace,
      `${tool} ${apply} & echo "tool:$!"; wait $!; warm; ${tool} ${apply}; warm`,
    );
    const toolPid = pidPrinted(started, "tool");
    await whileRunning(started, posted);
    service.fault = () => undefined;
    await signalTool(toolPid, "SIGTERM");
    const { code, output, stdout } = await started.ended;
    expect(words(output)).toContain("Error: Interrupted");
    expect({ code, output }).toMatchObject({ code: 0 });
    const pids = stdout.match(/^warm:\d+$/gm) ?? [];
    expect(pids).toEqual([pids[0], pids[0]]);
    const ids = service.creationIds;
    expect(ids).toEqual([ids[0], ids[0]]);
    expect(await service.endpoints()).toHaveLength(1);
  });

  it("a killed tool does not end the provider, and the next command takes its endpoint over", async () => {
    const { service, workspace, hurry, started, toolPid } = await whileCreating(
      tool,
      `${tool} ${apply} & echo "tool:$!"; wait $!; echo "code $?"; ${tool} ${apply}`,
    );
    await signalTool(toolPid, "SIGKILL");
    hurry();
    const { code, output } = await started.ended;
    // One comparison, so that a failure shows the output.
    const succeeded: unknown = expect.stringContaining("code 137");
    expect({ code, output }).toEqual({ code: 0, output: succeeded });
    const ids = service.creationIds;
    expect(ids).toEqual([ids[0], ids[0]]);
    expect(await workspace.plansChanges()).toBe(false);
  });

  it("a killed `trivet exec` lets the tool finish, and then the provider ends by itself", async () => {
    const { workspace, hurry, started } = await whileCreating(tool, `exec ${tool} ${apply}`);
    expect(workspace.processes()).toHaveLength(1);
    started.child.kill("SIGKILL");
    hurry();
    const { code, stdout } = await started.ended;
    expect(code).toBeUndefined();
    expect(stdout).toContain("1 added, 0 changed, 0 destroyed");
    expect(await workspace.outliving()).toEqual([]);
    expect(await workspace.plansChanges()).toBe(false);
    const left = readdirSync(temporary).flatMap((name) => readdirSync(join(temporary, name)));
    expect(left.filter((name) => name.startsWith("tfp-"))).toEqual([]);
  });
});

import { attachedScenario, configuration, endpoint, scenario } from "./support/scenario";
import type { Service } from "./support/service";
import { tools } from "./support/tool";

const parent = "projects/acme/locations/us-central1-a";
const edge = `${parent}/endpoints/edge`;

/** Creates an endpoint outside Terraform, and waits until it is ready. */
async function existing(service: Service, body: object = {}): Promise<void> {
  const endpoint = { network: "projects/acme/global/networks/main", severity: "HIGH", ...body };
  await service.call("POST", `${parent}/endpoints?endpointId=edge`, endpoint);
  while ((await service.call("GET", edge))["state"] !== "READY");
}

describe.each(tools)("an existing endpoint under %s", (tool) => {
  it.each([
    ["its full name", edge],
    ["project, location and ID", "acme/us-central1-a/edge"],
    ["location and ID, the project being the provider's", "us-central1-a/edge"],
  ])("is imported by %s, and then plans nothing", async (_form, id) => {
    const { service, workspace } = await attachedScenario(tool);
    const body = { description: "theirs", labels: { team: "x" }, threatExceptions: ["7"] };
    await existing(service, { ...body, trafficLogs: true });
    workspace.write(
      configuration(
        service,
        endpoint("edge", {
          description: `"theirs"`,
          labels: `{ team = "x" }`,
          threat_exceptions: `["7"]`,
          traffic_logs: "true",
        }),
      ),
    );
    await workspace.run("import", "ids_endpoint.edge", id);
    expect((await workspace.state()).get("ids_endpoint.edge")?.values).toMatchObject({
      id: edge,
      endpoint_id: "edge",
      location: "us-central1-a",
      project: "acme",
      description: "theirs",
      request_id: null,
      traffic_logs: true,
      state: "READY",
    });
    expect(await workspace.plansChanges()).toBe(false);
    expect(service.changes).toEqual([]);
  });

  it("is imported by an import block whose configuration the tool generates", async () => {
    const { service, workspace } = await attachedScenario(tool);
    await existing(service, { description: "theirs", labels: { team: "x" } });
    workspace.write(
      configuration(service, `import {\n  to = ids_endpoint.edge\n  id = "${edge}"\n}\n`),
    );
    await workspace.run("plan", "-generate-config-out=generated.tf");
    expect((await workspace.apply()).output).toContain("1 imported, 0 added, 0 changed");
    expect(await workspace.plansChanges()).toBe(false);
    expect(service.changes).toEqual([]);
  });

  it("is imported by an import block with a configured resource", async () => {
    const { service, workspace } = await scenario(tool);
    await existing(service);
    const block = `import {\n  to = ids_endpoint.edge\n  id = "us-central1-a/edge"\n}\n`;
    workspace.write(configuration(service, `${block}${endpoint("edge")}`));
    await workspace.init();
    expect((await workspace.apply()).output).toContain("1 imported, 0 added, 0 changed");
    expect(await workspace.plansChanges()).toBe(false);
  });

  it("is not imported with an invalid ID, nor when it does not exist", async () => {
    const { service, workspace } = await attachedScenario(tool);
    workspace.write(configuration(service, endpoint("edge")));
    const malformed = await workspace.attempt(["import", "ids_endpoint.edge", "edge"]);
    expect(malformed.code).toBe(1);
    expect(malformed.output).toContain("{location}/{endpoint_id}");
    expect(service.requests).toEqual([]);
    const absent = await workspace.attempt(["import", "ids_endpoint.edge", edge]);
    expect(absent.code).toBe(1);
    expect(absent.output).toContain("non-existent remote object");
    expect([...(await workspace.state()).keys()]).toEqual([]);
  });
});

import { attachedScenario, configuration, endpoint, scenario } from "./support/scenario";
import { tools } from "./support/tool";

const parent = "projects/acme/locations/us-central1-a";

const everything = {
  endpoint_id: `"edge"`,
  location: `"us-central1-f"`,
  project: `"other"`,
  network: `"https://www.googleapis.com/compute/v1/projects/other/global/networks/main"`,
  severity: `"MEDIUM"`,
  description: `"Everything from \\"outside\\": äöü ☃"`,
  labels: `{ team = "security", env = "test" }`,
  request_id: `"0f8fad5b-d9cb-469f-a165-70867728950e"`,
  threat_exceptions: `["85998", "30013"]`,
  traffic_logs: "true",
};

describe.each(tools)("an endpoint under %s", (tool) => {
  it("is created with everything set, planned as unchanged, and destroyed", async () => {
    const { service, workspace } = await scenario(tool);
    const timeouts = `  timeouts {\n    create = "5m"\n    delete = "1h30m"\n  }`;
    workspace.write(configuration(service, endpoint("edge", everything, timeouts)));
    await workspace.init();

    expect((await workspace.apply()).output).toContain("1 added, 0 changed, 0 destroyed");
    const name = "projects/other/locations/us-central1-f/endpoints/edge";
    expect(await service.endpoints("other")).toEqual([
      expect.objectContaining({
        name,
        network: "https://www.googleapis.com/compute/v1/projects/other/global/networks/main",
        severity: "MEDIUM",
        description: 'Everything from "outside": äöü ☃',
        labels: { team: "security", env: "test" },
        threatExceptions: ["85998", "30013"],
        trafficLogs: true,
        state: "READY",
      }),
    ]);
    const [created] = service.sent("POST");
    expect(created?.query.get("requestId")).toBe("0f8fad5b-d9cb-469f-a165-70867728950e");
    const state = (await workspace.state()).get("ids_endpoint.edge");
    expect(state?.values).toMatchObject({
      id: name,
      name,
      state: "READY",
      traffic_logs: true,
      threat_exceptions: ["85998", "30013"],
      endpoint_ip: expect.stringMatching(/^10\./) as string,
      timeouts: { create: "5m", delete: "1h30m" },
    });

    expect(await workspace.plansChanges()).toBe(false);
    expect(service.changes).toEqual(["POST edge"]);

    expect((await workspace.run("destroy", "-auto-approve")).output).toContain("1 destroyed");
    expect(service.changes).toEqual(["POST edge", "DELETE edge"]);
    expect(await service.endpoints("other")).toEqual([]);
  });

  it("is updated in place with one request that names exactly the changed fields", async () => {
    const { service, workspace } = await scenario(tool);
    workspace.write(
      configuration(service, endpoint("edge", { description: `"before"`, labels: `{ a = "1" }` })),
    );
    await workspace.init();
    await workspace.apply();
    const [before] = await service.endpoints();

    workspace.write(
      configuration(
        service,
        endpoint("edge", { severity: `"LOW"`, threat_exceptions: `["7"]`, labels: `{ a = "1" }` }),
      ),
    );
    const { output } = await workspace.apply();
    expect(output).toContain("ids_endpoint.edge will be updated in-place");
    expect(output).toContain("0 added, 1 changed, 0 destroyed");

    expect(service.changes).toEqual(["POST edge", "PATCH edge"]);
    const mask = service.sent("PATCH")[0]?.query.get("updateMask")?.split(",").sort();
    expect(mask).toEqual(["description", "severity", "threatExceptions"]);
    const [after] = await service.endpoints();
    expect(after).toMatchObject({ severity: "LOW", threatExceptions: ["7"], labels: { a: "1" } });
    expect(after).not.toHaveProperty("description");
    expect(after?.["createTime"]).toBe(before?.["createTime"]);
    expect(await workspace.plansChanges()).toBe(false);
  });

  it.each([
    ["location", { location: `"us-central1-b"` }, "projects/acme/locations/us-central1-b"],
    ["project", { project: `"other"` }, "projects/other/locations/us-central1-a"],
    ["endpoint_id", { endpoint_id: `"moved"` }, parent],
  ])("is replaced when its %s changes", async (attribute, change, newParent) => {
    const { service, workspace } = await attachedScenario(tool);
    workspace.write(configuration(service, endpoint("edge")));
    await workspace.apply();

    workspace.write(configuration(service, endpoint("edge", change)));
    const { output } = await workspace.apply();
    expect(output).toContain("ids_endpoint.edge must be replaced");
    expect(output).toMatch(new RegExp(`${attribute} += .*# forces replacement`));
    expect(output).toContain("1 added, 0 changed, 1 destroyed");
    const id = attribute === "endpoint_id" ? "moved" : "edge";
    expect(service.changes).toEqual(["POST edge", "DELETE edge", `POST ${id}`]);
    const all = [...(await service.endpoints()), ...(await service.endpoints("other"))];
    expect(all.map(({ name }) => name)).toEqual([`${newParent}/endpoints/${id}`]);
  });

  it("is replaced on demand, and loses values that are removed from the configuration", async () => {
    const { service, workspace } = await attachedScenario(tool);
    const full = { description: `"text"`, labels: `{ a = "1" }`, threat_exceptions: `["7"]` };
    workspace.write(configuration(service, endpoint("edge", full)));
    await workspace.apply();
    const { output } = await workspace.apply("-replace=ids_endpoint.edge");
    expect(output).toContain("ids_endpoint.edge will be replaced, as requested");
    expect(service.changes).toEqual(["POST edge", "DELETE edge", "POST edge"]);

    const empty = { description: `""`, labels: "{}", threat_exceptions: "[]" };
    workspace.write(configuration(service, endpoint("edge", empty)));
    await workspace.apply();
    const [after] = await service.endpoints();
    for (const field of ["description", "labels", "threatExceptions"]) {
      expect(after).not.toHaveProperty(field);
    }
    expect(await workspace.plansChanges()).toBe(false);
    service.forgetRequests();
    workspace.write(configuration(service, endpoint("edge")));
    await workspace.apply();
    // For the service, empty and absent are equal.
    expect(service.changes).toEqual([]);
    expect(await workspace.plansChanges()).toBe(false);
  });

  it("is created from a saved plan, which can be applied only once", async () => {
    const { service, workspace } = await scenario(tool);
    workspace.write(configuration(service, endpoint("edge")));
    await workspace.init();
    await workspace.run("plan", "-out=saved.tfplan");
    expect(service.requests).toEqual([]);
    await workspace.run("apply", "saved.tfplan");
    expect(service.changes).toEqual(["POST edge"]);
    const again = await workspace.attempt(["apply", "saved.tfplan"]);
    expect(again.code).toBe(1);
    expect(again.output).toContain("Saved plan is stale");
    expect(service.changes).toEqual(["POST edge"]);
  });

  it("is one of twenty that are created in parallel", async () => {
    const { service, workspace } = await scenario(tool, { service: { quota: 20 } });
    const ids = `  for_each = toset([for number in range(20) : "edge-\${number}"])`;
    workspace.write(configuration(service, endpoint("edge", { endpoint_id: "each.value" }, ids)));
    await workspace.init();
    await workspace.apply("-parallelism=20");
    expect(await service.endpoints()).toHaveLength(20);
    expect(new Set(service.creationIds).size).toBe(20);
    expect(await workspace.plansChanges()).toBe(false);
    await workspace.run("destroy", "-auto-approve", "-parallelism=20");
    expect(await service.endpoints()).toEqual([]);
  });
});

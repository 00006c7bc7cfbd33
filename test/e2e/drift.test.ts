import { attachedScenario, configuration, endpoint } from "./support/scenario";
import { tools } from "./support/tool";
import type { Service } from "./support/service";

const edge = "projects/acme/locations/us-central1-a/endpoints/edge";

/** Changes the endpoint outside Terraform, and waits until it is ready again. */
async function changeOutside(service: Service, field: string, value: unknown): Promise<void> {
  await service.call("PATCH", `${edge}?updateMask=${field}`, { [field]: value });
  while ((await service.call("GET", edge))["state"] !== "READY");
}

async function deleteOutside(service: Service): Promise<void> {
  await service.call("DELETE", edge);
  while ((await service.endpoints()).length > 0) {
    await service.call("GET", edge).catch(() => undefined);
  }
}

describe.each(tools)("an endpoint that changed outside of %s", (tool) => {
  it("is changed back in place", async () => {
    const { service, workspace } = await attachedScenario(tool);
    workspace.write(configuration(service, endpoint("edge", { description: `"ours"` })));
    await workspace.apply();
    await changeOutside(service, "severity", "LOW");
    service.forgetRequests();

    const { output } = await workspace.apply();
    expect(output).toMatch(/severity += "LOW" -> "HIGH"/);
    expect(service.changes).toEqual(["PATCH edge"]);
    expect(service.sent("PATCH")[0]?.query.get("updateMask")).toBe("severity");
    expect(await service.endpoints()).toEqual([
      expect.objectContaining({ severity: "HIGH", description: "ours" }),
    ]);
    expect(await workspace.plansChanges()).toBe(false);
  });

  it("is created again when it was deleted", async () => {
    const { service, workspace } = await attachedScenario(tool);
    workspace.write(configuration(service, endpoint("edge")));
    await workspace.apply();
    await deleteOutside(service);

    expect(await workspace.plansChanges()).toBe(true);
    expect((await workspace.apply()).output).toContain("1 added, 0 changed, 0 destroyed");
    expect(await service.endpoints()).toHaveLength(1);
    expect(await workspace.plansChanges()).toBe(false);
  });

  it("is destroyed without an error when it no longer exists", async () => {
    const { service, workspace } = await attachedScenario(tool);
    workspace.write(configuration(service, endpoint("edge")));
    await workspace.apply();
    await deleteOutside(service);
    await workspace.run("destroy", "-auto-approve", "-refresh=false");
    expect((await workspace.state()).size).toBe(0);
  });

  it("has its new values taken over by -refresh-only, which writes nothing", async () => {
    const { service, workspace } = await attachedScenario(tool);
    workspace.write(configuration(service, endpoint("edge")));
    await workspace.apply();
    await changeOutside(service, "description", "theirs");
    service.forgetRequests();

    const { output } = await workspace.apply("-refresh-only");
    expect(output).toContain('"theirs"');
    expect((await workspace.state()).get("ids_endpoint.edge")?.values).toMatchObject({
      description: "theirs",
    });
    expect(service.changes).toEqual([]);
  });

  it("keeps labels added by others, and plans nothing for them", async () => {
    const { service, workspace } = await attachedScenario(tool);
    workspace.write(configuration(service, endpoint("edge", { labels: `{ ours = "1" }` })));
    await workspace.apply();
    await changeOutside(service, "labels", { ours: "1", theirs: "2" });
    expect(await workspace.plansChanges()).toBe(false);
    workspace.write(configuration(service, endpoint("edge", { labels: `{ ours = "3" }` })));
    await workspace.apply();
    expect(await service.endpoints()).toEqual([
      expect.objectContaining({ labels: { ours: "3", theirs: "2" } }),
    ]);
  });

  it("is not moved by another project or zone in the provider's settings", async () => {
    const { service, workspace } = await attachedScenario(tool);
    workspace.write(configuration(service, endpoint("edge")));
    await workspace.apply();
    const elsewhere = { project: `"other"`, zone: `"europe-west1-b"` };
    workspace.write(configuration(service, endpoint("edge"), elsewhere));
    expect(await workspace.plansChanges()).toBe(false);
  });
});

import {
  attachedScenario,
  configuration,
  endpoint,
  providerBlock,
  scenario,
} from "./support/scenario";
import { tools } from "./support/tool";

describe.each(tools)("endpoints with meta-arguments under %s", (tool) => {
  it("are created by count, and the last are removed first", async () => {
    const { service, workspace } = await attachedScenario(tool);
    const numbered = (count: number) =>
      endpoint("edge", { count: String(count), endpoint_id: '"edge-${count.index}"' });
    workspace.write(configuration(service, numbered(3)));
    await workspace.apply();
    workspace.write(configuration(service, numbered(2)));
    expect((await workspace.apply()).output).toContain("0 added, 0 changed, 1 destroyed");
    expect(service.changes.at(-1)).toBe("DELETE edge-2");
    expect([...(await workspace.state()).keys()]).toEqual([
      "ids_endpoint.edge[0]",
      "ids_endpoint.edge[1]",
    ]);
  });

  it("are created by for_each, independently of each other", async () => {
    const { service, workspace } = await attachedScenario(tool);
    const each = (zones: string) =>
      endpoint("edge", {
        for_each: zones,
        endpoint_id: "each.key",
        location: "each.value",
      });
    workspace.write(configuration(service, each(`{ a = "us-central1-a", b = "us-central1-b" }`)));
    await workspace.apply();
    service.forgetRequests();
    workspace.write(configuration(service, each(`{ b = "us-central1-b", c = "us-central1-c" }`)));
    await workspace.apply();
    expect([...service.changes].sort()).toEqual(["DELETE a", "POST c"]);
    expect([...(await workspace.state()).keys()]).toEqual([
      'ids_endpoint.edge["b"]',
      'ids_endpoint.edge["c"]',
    ]);
  });

  it("choose a provider by alias", async () => {
    const { service, workspace } = await scenario(tool);
    const other = providerBlock(service, {
      alias: `"other"`,
      project: `"other"`,
      zone: `"europe-west1-b"`,
    });
    workspace.write(
      configuration(
        service,
        `${other}${endpoint("here")}${endpoint("there", { provider: "ids.other" })}`,
      ),
    );
    await workspace.init();
    await workspace.apply();
    const names = [...(await service.endpoints()), ...(await service.endpoints("other"))];
    expect(names.map(({ name }) => name)).toEqual([
      "projects/acme/locations/us-central1-a/endpoints/here",
      "projects/other/locations/europe-west1-b/endpoints/there",
    ]);
    expect(await workspace.plansChanges()).toBe(false);
    await workspace.run("destroy", "-auto-approve");
    expect(await service.endpoints("other")).toEqual([]);
  });

  it("are not destroyed while prevent_destroy is set", async () => {
    const { service, workspace } = await attachedScenario(tool);
    const lifecycle = "  lifecycle {\n    prevent_destroy = true\n  }";
    workspace.write(configuration(service, endpoint("edge", {}, lifecycle)));
    await workspace.apply();
    const destroyed = await workspace.attempt(["destroy", "-auto-approve"]);
    expect(destroyed.code).toBe(1);
    expect(destroyed.output).toContain("prevent_destroy");
    const elsewhere = { location: `"us-central1-b"` };
    workspace.write(configuration(service, endpoint("edge", elsewhere, lifecycle)));
    expect((await workspace.attempt(["apply", "-auto-approve"])).code).toBe(1);
    expect(service.changes).toEqual(["POST edge"]);
  });

  it("keep the attributes in ignore_changes, and change the rest", async () => {
    const { service, workspace } = await attachedScenario(tool);
    const ignoring = (attributes: Record<string, string>) =>
      endpoint("edge", attributes, "  lifecycle {\n    ignore_changes = [severity, labels]\n  }");
    workspace.write(configuration(service, ignoring({ labels: `{ a = "1" }` })));
    await workspace.apply();
    workspace.write(configuration(service, ignoring({ severity: `"LOW"`, labels: "{}" })));
    expect(await workspace.plansChanges()).toBe(false);
    workspace.write(configuration(service, ignoring({ severity: `"LOW"`, description: `"new"` })));
    await workspace.apply();
    expect(service.sent("PATCH").map(({ query }) => query.get("updateMask"))).toEqual([
      "description",
    ]);
  });

  it("are created before the ones that they replace are destroyed", async () => {
    const { service, workspace } = await attachedScenario(tool);
    const lifecycle = "  lifecycle {\n    create_before_destroy = true\n  }";
    workspace.write(configuration(service, endpoint("edge", {}, lifecycle)));
    await workspace.apply();
    workspace.write(configuration(service, endpoint("edge", { endpoint_id: `"next"` }, lifecycle)));
    await workspace.apply();
    expect(service.changes).toEqual(["POST edge", "POST next", "DELETE edge"]);
  });

  it("wait for the resources in depends_on, and are destroyed before them", async () => {
    const { service, workspace } = await attachedScenario(tool);
    const second = endpoint("second", { depends_on: "[ids_endpoint.first]" });
    workspace.write(configuration(service, `${second}${endpoint("first")}`));
    await workspace.apply();
    await workspace.run("destroy", "-auto-approve");
    expect(service.changes).toEqual(["POST first", "POST second", "DELETE second", "DELETE first"]);
    const begun = service.requests.findIndex(({ query }) => query.get("endpointId") === "second");
    const read = service.requests.findIndex(({ path }) => path.endsWith("/endpoints/first"));
    expect(read).toBeLessThan(begun);
  });

  it("keep their state when they are moved to another address", async () => {
    const { service, workspace } = await attachedScenario(tool);
    workspace.write(configuration(service, endpoint("edge")));
    await workspace.apply();
    const moved = `moved {\n  from = ids_endpoint.edge\n  to   = ids_endpoint.renamed\n}\n`;
    const renamed = endpoint("renamed", { endpoint_id: `"edge"` });
    workspace.write(configuration(service, `${moved}${renamed}`));
    expect((await workspace.apply()).output).toContain("0 added, 0 changed, 0 destroyed");
    expect([...(await workspace.state()).keys()]).toEqual(["ids_endpoint.renamed"]);
    expect(service.changes).toEqual(["POST edge"]);
  });
});

import { join } from "node:path";
import { App, LocalBackend, TerraformOutput, TerraformStack } from "cdktf";
import { ids } from "../../src";
import { type Scenario, attachedScenario, scenario } from "./support/scenario";
import { tools } from "./support/tool";

const network = "projects/acme/global/networks/main";
const usual = { network, severity: ids.EndpointSeverity.HIGH };

type Build = (stack: TerraformStack) => void;

/** Synthesizes a stack as an application would, and lets the tool run in its folder from now on. */
function synthesize({ service, workspace }: Scenario, build: Build): void {
  const app = new App({ outdir: join(workspace.folder, "cdktf.out") });
  const stack = new TerraformStack(app, "demo");
  new LocalBackend(stack, { path: join(workspace.folder, "terraform.demo.tfstate") });
  new ids.IdsProvider(stack, "ids", {
    project: "acme",
    zone: "us-central1-a",
    cloudIdsCustomEndpoint: service.url,
    pollInterval: "10ms",
  });
  build(stack);
  app.synth();
  workspace.directory = join(workspace.folder, "cdktf.out", "stacks", "demo");
}

describe.each(tools)("a stack of constructs under %s", (tool) => {
  it("is created, planned as unchanged, updated, replaced and destroyed", async () => {
    const all = await scenario(tool);
    const { service, workspace } = all;
    const edge =
      (change: Partial<ids.EndpointProps> = {}): Build =>
      (stack) => {
        const endpoint = new ids.Endpoint(stack, "edge", {
          ...usual,
          endpointId: "edge",
          labels: { team: "security" },
          trafficLogs: true,
          threatExceptions: ["7"],
          timeouts: { create: "5m" },
          ...change,
        });
        new TerraformOutput(stack, "address", { value: endpoint.endpointIp });
      };
    synthesize(all, edge());
    await workspace.init();
    expect((await workspace.apply()).output).toMatch(/address = "10\./);
    expect(await service.endpoints()).toEqual([
      expect.objectContaining({
        name: "projects/acme/locations/us-central1-a/endpoints/edge",
        labels: { team: "security" },
        threatExceptions: ["7"],
        trafficLogs: true,
      }),
    ]);
    expect(await workspace.plansChanges()).toBe(false);

    synthesize(all, edge({ severity: ids.EndpointSeverity.LOW, trafficLogs: false }));
    expect((await workspace.apply()).output).toContain("0 added, 1 changed, 0 destroyed");
    const mask = service.sent("PATCH")[0]?.query.get("updateMask")?.split(",").sort();
    expect(mask).toEqual(["severity", "trafficLogs"]);

    synthesize(all, edge({ location: "us-central1-b" }));
    expect((await workspace.apply()).output).toContain("1 added, 0 changed, 1 destroyed");
    await workspace.run("destroy", "-auto-approve");
    expect(service.changes).toEqual([
      "POST edge",
      "PATCH edge",
      "DELETE edge",
      "POST edge",
      "DELETE edge",
    ]);
  });

  it("keeps the order of dependsOn, of node.addDependency and of references", async () => {
    const all = await attachedScenario(tool);
    const { service, workspace } = all;
    // In an order of names that none of the three would give by chance.
    synthesize(all, (stack) => {
      const first = new ids.Endpoint(stack, "z-first", { ...usual, endpointId: "first" });
      const second = new ids.Endpoint(stack, "y-second", {
        ...usual,
        endpointId: "second",
        dependsOn: [first],
      });
      const third = new ids.Endpoint(stack, "x-third", { ...usual, endpointId: "third" });
      third.node.addDependency(second);
      new ids.Endpoint(stack, "w-fourth", {
        ...usual,
        endpointId: "fourth",
        description: `after ${third.name}`,
      });
    });
    await workspace.init();
    await workspace.apply();
    expect(service.changes).toEqual(["POST first", "POST second", "POST third", "POST fourth"]);
    const ready = (id: string) =>
      service.requests.findIndex(({ path }) => path.endsWith(`/endpoints/${id}`));
    const begun = (id: string) =>
      service.requests.findIndex(({ query }) => query.get("endpointId") === id);
    expect(ready("first")).toBeLessThan(begun("second"));
    expect(ready("second")).toBeLessThan(begun("third"));
    expect(ready("third")).toBeLessThan(begun("fourth"));
    await workspace.run("destroy", "-auto-approve");
    expect(service.changes.slice(4)).toEqual([
      "DELETE fourth",
      "DELETE third",
      "DELETE second",
      "DELETE first",
    ]);
  });

  it("imports an existing endpoint with importFrom", async () => {
    const all = await attachedScenario(tool);
    const { service, workspace } = all;
    const parent = "projects/acme/locations/us-central1-a";
    const theirs = { network, severity: "HIGH" };
    await service.call("POST", `${parent}/endpoints?endpointId=edge`, theirs);
    synthesize(all, (stack) => {
      const edge = new ids.Endpoint(stack, "edge", { ...usual, endpointId: "edge" });
      edge.importFrom(`${parent}/endpoints/edge`);
    });
    await workspace.init();
    expect((await workspace.apply()).output).toContain("1 imported, 0 added, 0 changed");
    expect(await workspace.plansChanges()).toBe(false);
    expect(service.changes).toEqual([]);
  });

  it("renames an endpoint with moveTo, and with moveFromId, without a request", async () => {
    const all = await attachedScenario(tool);
    const { service, workspace } = all;
    synthesize(all, (stack) => {
      new ids.Endpoint(stack, "old", { ...usual, endpointId: "edge" });
    });
    await workspace.init();
    await workspace.apply();
    synthesize(all, (stack) => {
      const next = new ids.Endpoint(stack, "next", { ...usual, endpointId: "edge" });
      next.addMoveTarget("edge");
      new ids.Endpoint(stack, "old", { ...usual, endpointId: "edge" }).moveTo("edge");
    });
    expect((await workspace.apply()).output).toContain("0 added, 0 changed, 0 destroyed");
    expect([...(await workspace.state()).keys()]).toEqual(["ids_endpoint.next"]);
    synthesize(all, (stack) => {
      const last = new ids.Endpoint(stack, "last", { ...usual, endpointId: "edge" });
      last.moveFromId("ids_endpoint.next");
    });
    expect((await workspace.apply()).output).toContain("0 added, 0 changed, 0 destroyed");
    expect([...(await workspace.state()).keys()]).toEqual(["ids_endpoint.last"]);
    expect(service.changes).toEqual(["POST edge"]);
  });

  it("is refused by the provider where the construct could not know", async () => {
    const all = await attachedScenario(tool);
    const { service, workspace } = all;
    synthesize(all, (stack) => {
      const edge = new ids.Endpoint(stack, "edge", { ...usual, endpointId: "edge" });
      edge.addOverride("endpoint_id", '${upper("edge")}');
    });
    await workspace.init();
    const { code, output } = await workspace.attempt(["plan"]);
    expect(code).toBe(1);
    expect(output).toContain("endpoint_id: must start with a lowercase letter");
    expect(service.requests).toEqual([]);
  });
});

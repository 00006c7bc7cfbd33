import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Testing, TerraformOutput, TerraformStack } from "cdktf";
import { ids } from "../../src";
import { endpoint } from "../../src/core/ids/endpoint/declare";
import { type AcceptanceStep, testAcceptance } from "../../src/core/provider-kit/testing";
import { buildWhenStale, packagedProvider } from "./support/build";
import { outliving } from "./support/provider-processes";
import { Service } from "./support/service";

const home = mkdtempSync(join(tmpdir(), "acceptance-"));

beforeAll(buildWhenStale);
afterAll(() => {
  rmSync(home, { recursive: true });
});

/** A synthesized stack with one endpoint, whose state cdktf would keep in its own place. */
function stack(url: string, severity: ids.EndpointSeverity): string {
  const made = new TerraformStack(Testing.app(), "watch");
  new ids.IdsProvider(made, "ids", {
    project: "acme",
    zone: "us-central1-a",
    cloudIdsCustomEndpoint: url,
    pollInterval: "10ms",
  });
  const network = "projects/acme/global/networks/main";
  const edge = new ids.Endpoint(made, "edge", { endpointId: "edge", network, severity });
  new TerraformOutput(made, "address", { value: edge.endpointIp });
  made.ensureBackendExists();
  return Testing.synth(made, true);
}

test("stacks are deployed by one process of the packaged provider, which ends with the test", async () => {
  const service = await Service.start();
  const address = "ids_endpoint.edge";
  const steps: readonly AcceptanceStep[] = [
    {
      config: stack(service.url, "HIGH"),
      actions: { [address]: "create" },
      outputs: { address: /^10\./ },
      check: ({ resource }) => {
        expect(resource(endpoint, address).trafficLogs).toBe(false);
      },
    },
    { config: stack(service.url, "LOW"), state: { [address]: { severity: "LOW" } } },
    { import: address },
    {
      config: stack(service.url, "LOW").replace(/(?<="endpoint_id": *)"edge"/, '"Edge"'),
      expectError: "lowercase",
    },
  ];
  try {
    await testAcceptance({
      source: "trivet.local/trivet/ids",
      executable: packagedProvider("ids"),
      env: { HOME: home, XDG_STATE_HOME: home, PLUGIN_UNIX_SOCKET_DIR: home },
      steps,
      checkDestroyed: async () => {
        expect(await service.endpoints()).toEqual([]);
      },
    });
  } finally {
    await service.close();
  }
  expect(service.changes).toEqual(["POST edge", "PATCH edge", "DELETE edge"]);
  expect(await outliving(home)).toEqual([]);
  // The journal keeps its folder; sockets are gone.
  expect(readdirSync(home)).toEqual(["trivet"]);
});

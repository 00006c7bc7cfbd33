import type { Declaration } from "../../src/core/schema";
import { provider as ids } from "../../src/core/ids/provider-definition";
import { provider as signing } from "../../src/core/signing/provider-definition";
import { provider as workspaces } from "../../src/core/workspace/provider-definition";
import { attest, sign } from "../core/signing/sign/operations";
import { attachedScenario, configuration, endpoint, scenario } from "./support/scenario";
import type { Service } from "./support/service";
import { attachedSigning, imageText, signerEmail, signingText } from "./support/signing";
import { type Tool, tools } from "./support/tool";
import type { Workspace } from "./support/workspace";

const parent = "projects/acme/locations/us-central1-a";
const edge = `${parent}/endpoints/edge`;

/** Creates an endpoint outside Terraform, and waits until it is ready. */
async function existing(service: Service, body: object = {}): Promise<void> {
  const endpoint = { network: "projects/acme/global/networks/main", severity: "HIGH", ...body };
  await service.call("POST", `${parent}/endpoints?endpointId=edge`, endpoint);
  while ((await service.call("GET", edge))["state"] !== "READY");
}

/** Something that exists, which an import block with its whole configuration imports. */
interface Existing {
  readonly workspace: Workspace;
  readonly id: string;
  readonly configure: (importBlock: string) => string;
}

const signedImage =
  (
    attach: typeof sign,
    format: "legacy" | "bundle",
    resource: (image: string) => string,
  ): ((tool: Tool) => Promise<Existing>) =>
  async (tool) => {
    const { bench, workspace } = await attachedSigning(tool);
    const image = await bench.pushImage("one");
    await attach(bench, bench.person(signerEmail), image, { format });
    const settings = `  default_signature_format = "${format}"\n`;
    const id = imageText(image);
    const configure = (block: string) => signingText({ bench }, block + resource(id), settings);
    return { workspace, id, configure };
  };

const signed = (image: string): string =>
  `resource "signing_sign" "each" {\n  image = "${image}"\n}\n`;

const attested = (image: string): string => `resource "signing_attest" "each" {
  image = "${image}"
  predicates {
    type = "https://example.com/check/v1"
    json = jsonencode({ passed = true })
  }
}
`;

const importable: readonly [
  type: string,
  note: string,
  exists: (tool: Tool) => Promise<Existing>,
][] = [
  [
    "ids_endpoint",
    "",
    async (tool) => {
      const { service, workspace } = await attachedScenario(tool);
      await existing(service);
      const configure = (block: string) =>
        configuration(service, block + endpoint("each", { endpoint_id: `"edge"` }));
      return { workspace, id: edge, configure };
    },
  ],
  ["signing_sign", "as a layer", signedImage(sign, "legacy", signed)],
  ["signing_sign", "as a bundle", signedImage(sign, "bundle", signed)],
  ["signing_attest", "as a layer", signedImage(attest, "legacy", attested)],
  ["signing_attest", "as a bundle", signedImage(attest, "bundle", attested)],
];

test("every resource that can be imported has a row", () => {
  const providers: readonly (readonly { readonly declaration: Declaration }[] | undefined)[] = [
    ids.resources,
    signing.resources,
    workspaces.resources,
  ];
  const declared = providers
    .flatMap((resources) => resources ?? [])
    .map(({ declaration }) => declaration)
    .filter(({ importId }) => importId.length > 0);
  const types = new Set(declared.map(({ type }) => type));
  expect(new Set(importable.map(([type]) => type))).toEqual(types);
});

describe.each(tools)("under %s, an import by a block leaves nothing to change", (tool) => {
  test.each(importable)("in %s %s", async (type, _note, exists) => {
    const { workspace, id, configure } = await exists(tool);
    workspace.write(configure(`import {\n  to = ${type}.each\n  id = "${id}"\n}\n`));
    expect((await workspace.apply()).output).toContain("1 imported, 0 added, 0 changed");
    expect(await workspace.plansChanges()).toBe(false);
  });
});

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

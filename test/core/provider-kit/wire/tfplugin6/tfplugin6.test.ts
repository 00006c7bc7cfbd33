import { pluginMethods } from "../../../../../src/core/provider-kit/wire/tfplugin6/plugin-services";
import { providerMethods } from "../../../../../src/core/provider-kit/wire/tfplugin6/tfplugin6";

const bytes = (...values: number[]) => Buffer.from(values);
const at = (attributeName?: string, elementKeyString?: string, elementKeyInt?: number) => ({
  attributeName,
  elementKeyString,
  elementKeyInt,
});

// Messages as encoded by the Go implementation (terraform-plugin-go 0.26).
describe("a message that Terraform wrote", () => {
  it("is read and written back the same: ConfigureProvider", () => {
    const { request } = providerMethods.configureProvider;
    const encoded =
      "0a177465727261666f726d5f76657273696f6e2dc3bc383039120a0a0301022a120301022b1a0408011001";
    const value = request.decode(Buffer.from(encoded, "hex"));
    expect(value).toEqual({
      terraformVersion: "terraform_version-ü809",
      config: { msgpack: bytes(1, 2, 0x2a), json: bytes(1, 2, 0x2b) },
      clientCapabilities: { deferralAllowed: true, writeOnlyAttributesAllowed: true },
    });
    expect(Buffer.from(request.encode(value)).toString("hex")).toBe(encoded);
  });

  it("is read and written back the same: ValidateProviderConfig", () => {
    const { response } = providerMethods.validateProviderConfig;
    const encoded =
      "12550802120d73756d6d6172792dc3bc3735361a0c64657461696c2dc3bc37353722340a160a146174747269627574655f6e616d652dc3bc3735380a1a1218656c656d656e745f6b65795f737472696e672dc3bc37353912460801120d73756d6d6172792dc3bc3736311a0c64657461696c2dc3bc37363222250a0b189d8cc1fbffffffffff010a160a146174747269627574655f6e616d652dc3bc373634";
    const value = response.decode(Buffer.from(encoded, "hex"));
    expect(value).toEqual({
      diagnostics: [
        {
          severity: "WARNING",
          summary: "summary-ü756",
          detail: "detail-ü757",
          attribute: {
            steps: [at("attribute_name-ü758"), at(undefined, "element_key_string-ü759")],
          },
        },
        {
          severity: "ERROR",
          summary: "summary-ü761",
          detail: "detail-ü762",
          attribute: {
            steps: [at(undefined, undefined, -9419235), at("attribute_name-ü764")],
          },
        },
      ],
    });
    expect(Buffer.from(response.encode(value)).toString("hex")).toBe(encoded);
  });

  it("is read and written back the same: UpgradeResourceState", () => {
    const { request } = providerMethods.upgradeResourceState;
    const encoded =
      "0a0f747970655f6e616d652dc3bc37393310caa1d6041a1a0a0301021b12130a046b373935120b76616c75652dc3bc373936";
    const value = request.decode(Buffer.from(encoded, "hex"));
    expect(value).toEqual({
      typeName: "type_name-ü793",
      version: 9801930,
      rawState: { json: bytes(1, 2, 0x1b), flatmap: { k795: "value-ü796" } },
    });
    expect(Buffer.from(request.encode(value)).toString("hex")).toBe(encoded);
  });

  it("is read and written back the same: CallFunction", () => {
    const { response } = providerMethods.callFunction;
    const encoded = "0a0a0a03010227120301022812120a0b746578742dc3bc3130363510da9aa306";
    const value = response.decode(Buffer.from(encoded, "hex"));
    expect(value).toEqual({
      result: { msgpack: bytes(1, 2, 0x27), json: bytes(1, 2, 0x28) },
      error: { text: "text-ü1065", functionArgument: 13159770 },
    });
    expect(Buffer.from(response.encode(value)).toString("hex")).toBe(encoded);
  });
});

it("a schema with nested blocks and nested attributes survives the round trip", () => {
  const { response } = providerMethods.getProviderSchema;
  const item = { name: "is_on", type: Buffer.from('"bool"'), optional: true };
  const schema = {
    version: 1,
    block: {
      attributes: [{ name: "items", nestedType: { attributes: [item], nesting: "LIST" } }],
      blockTypes: [
        {
          typeName: "outer",
          nesting: "SET",
          maxItems: 2,
          block: { blockTypes: [{ typeName: "inner", nesting: "GROUP", block: {} }] },
        },
      ],
      descriptionKind: "MARKDOWN",
    },
  } as const;
  const decoded = response.decode(response.encode({ resourceSchemas: { ids_endpoint: schema } }));
  expect(decoded.resourceSchemas).toMatchObject({ ids_endpoint: schema });
  expect(decoded.provider).toBeUndefined();
});

it("every procedure has its own path with Terraform's name", () => {
  const methods = Object.entries(providerMethods);
  const streamed = new Set(["listResource", "invokeAction"]);
  expect(methods).toHaveLength(27);
  for (const [name, { path, kind }] of methods) {
    expect(path.toLowerCase()).toBe(`/tfplugin6.provider/${name.toLowerCase()}`);
    expect(kind).toBe(streamed.has(name) ? "serverStream" : "unary");
  }
  expect(providerMethods.planResourceChange.path).toBe("/tfplugin6.Provider/PlanResourceChange");
});

it("the plugin's own services have go-plugin's paths and encodings", () => {
  const { shutdown, streamStdio, startBrokerStream, checkHealth } = pluginMethods;
  expect([shutdown, streamStdio, startBrokerStream, checkHealth].map(({ path }) => path)).toEqual([
    "/plugin.GRPCController/Shutdown",
    "/plugin.GRPCStdio/StreamStdio",
    "/plugin.GRPCBroker/StartStream",
    "/grpc.health.v1.Health/Check",
  ]);
  expect(Buffer.from(shutdown.response.encode({}))).toHaveLength(0);
  expect([...streamStdio.response.encode({ channel: "STDERR", data: bytes(9) })]).toEqual([
    0x08, 2, 0x12, 1, 9,
  ]);
  expect([...checkHealth.response.encode({ status: "SERVING" })]).toEqual([0x08, 1]);
  const info = { serviceId: 3, network: "unix", address: "/a", knock: { knock: true } };
  expect(startBrokerStream.request.decode(startBrokerStream.request.encode(info))).toMatchObject(
    info,
  );
});

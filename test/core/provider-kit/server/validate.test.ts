import {
  dataSource,
  implementDataSource,
  optional,
  provider,
  ProviderError,
  providerRoutes,
  t,
  UNKNOWN,
} from "../../../../src/core/provider-kit";
import { createTerraformHarness, startProvider } from "../../../../src/core/provider-kit/testing";
import { details, summaries } from "./protocol";
import { catalog, openWorkshop, settings, tools } from "./workshop";

const validate = async (config: object) =>
  tools(await openWorkshop({ configured: false })).validate({ ...config });

test("accepts a valid resource before the provider is configured", async () => {
  expect(
    await validate({ toolName: "saw", pieces: 2n ** 80n, tags: ["a"], ring: [{ colour: "red" }] }),
  ).toEqual([]);
});

test("accepts unknown values everywhere", async () => {
  const config = {
    toolName: UNKNOWN,
    labels: UNKNOWN,
    handle: { madeOf: UNKNOWN },
    hole: UNKNOWN,
    ring: [UNKNOWN],
  };
  expect(await validate(config)).toEqual([]);
});

test("reports each violated rule with the attribute's path in Terraform's names", async () => {
  const diagnostics = await validate({
    toolName: "Saw",
    old: false,
    labels: { "a b": "X" },
    handle: { madeOf: "Oak" },
    hole: [{ width: 1 }, { width: 2 }, { width: 3 }],
  });
  expect(summaries(diagnostics)).toEqual([
    "ERROR tool_name Invalid Attribute Value",
    "ERROR labels.a b Invalid Attribute Value",
    "WARNING old Deprecated Attribute",
    "ERROR handle.made_of Invalid Attribute Value",
    "ERROR hole Invalid Attribute Value",
  ]);
  expect(diagnostics[0]?.detail).toBe(
    'tool_name: must be lowercase letters (got "Saw").\n\nCode: INVALID_ARGUMENT',
  );
  expect(diagnostics[3]?.detail).toContain(
    'handle.made_of: must be lowercase letters (got "Oak").',
  );
});

test("contains no sensitive value", async () => {
  const diagnostics = await validate({ toolName: "saw", pin: "SECRET1" });
  expect(summaries(diagnostics)).toEqual(["ERROR pin Invalid Attribute Value"]);
  expect(details(diagnostics)).not.toContain("SECRET1");
});

test("checks settings and data sources too", async () => {
  const terraform = createTerraformHarness(await openWorkshop({ configured: false }));
  const provider = await terraform.validate(settings, { baseUrl: "x", accessToken: "secret" });
  expect(summaries(provider)).toEqual(["ERROR access_token Conflicting Attributes"]);
  expect(details(provider)).toContain("at most one of `base_url`, `access_token`");
  const data = await terraform.dataSource(catalog).validate({ query: "X" });
  expect(summaries(data)).toEqual(["ERROR query Invalid Attribute Value"]);
});

test("runs the handler's check of a data source although a rule warns", async () => {
  const doc = "x";
  const shelf = dataSource("shop_shelf", {
    doc,
    attributes: { old: optional(t.bool(), { doc, deprecated: "remove it" }) },
  });
  const full = new ProviderError({ summary: "Shelf Full", detail: "Nothing fits." });
  const handlers = {
    validate: () => Promise.reject(full),
    read: () => Promise.resolve({ old: null }),
  };
  const started = await startProvider(
    providerRoutes({
      declaration: provider("shop", { doc, attributes: {} }),
      configure: () => undefined,
      resources: [],
      dataSources: [implementDataSource(shelf)(handlers)],
    }),
  );
  const diagnostics = await createTerraformHarness(started)
    .dataSource(shelf)
    .validate({ old: true });
  started.close();
  expect(summaries(diagnostics)).toEqual([
    "WARNING old Deprecated Attribute",
    "ERROR - Shelf Full",
  ]);
});

test("refuses unknown types, in every call", async () => {
  const workshop = await openWorkshop();
  const typeName = "shop_toy";
  const answers = await Promise.all([
    workshop.validateResourceConfig({ typeName }),
    workshop.validateDataResourceConfig({ typeName }),
    workshop.upgradeResourceState({ typeName }),
    workshop.readResource({ typeName }),
    workshop.planResourceChange({ typeName }),
    workshop.applyResourceChange({ typeName }),
    workshop.importResourceState({ typeName, id: "x" }),
    workshop.readDataSource({ typeName }),
  ]);
  for (const { diagnostics } of answers) {
    expect(summaries(diagnostics)).toEqual([
      expect.stringMatching(/^ERROR - Unknown (Resource|Data Source) Type$/),
    ]);
  }
});

test.each<[string, Uint8Array]>([
  ["bytes that are no msgpack", Buffer.from("c1", "hex")],
  ["bytes after the value", Buffer.from("c0c0", "hex")],
  ["half a value", Buffer.from("df0000", "hex")],
  ["another type", Buffer.from("a3616263", "hex")],
  ["an object that lacks attributes", Buffer.from("81a9746f6f6c5f6e616d65a3736177", "hex")],
  ["an attribute that is not declared", Buffer.from("81a378797ac0", "hex")],
])("responds to %s with a diagnostic, and continues", async (_name, msgpack) => {
  const workshop = await openWorkshop();
  const value = { msgpack };
  const typeName = "shop_tool";
  const calls = [
    workshop.validateResourceConfig({ typeName, config: value }),
    workshop.planResourceChange({ typeName, config: value, proposedNewState: value }),
    workshop.applyResourceChange({ typeName, plannedState: value }),
    workshop.readResource({ typeName, currentState: value }),
    workshop.configureProvider({ config: value }),
    workshop.validateProviderConfig({ config: value }),
    workshop.readDataSource({ typeName: "shop_catalog", config: value }),
  ];
  for (const { diagnostics } of await Promise.all(calls)) {
    expect(summaries(diagnostics)).toEqual(["ERROR - Value Does Not Match The Schema"]);
  }
  expect(await workshop.getFunctions({})).toBeDefined();
});

test("accepts JSON if there is no msgpack", async () => {
  const workshop = await openWorkshop();
  const json = Buffer.from('{"tool_name":"Saw","pieces":123456789012345678901234567890}');
  const config = { json };
  const { diagnostics } = await workshop.validateResourceConfig({ typeName: "shop_tool", config });
  expect(summaries(diagnostics)).toEqual(["ERROR tool_name Invalid Attribute Value"]);
});

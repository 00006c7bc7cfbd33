import { block, optional, resource, t, wireSchema } from "../../../../src/core/schema";
import { summaries } from "./protocol";
import { openWorkshop } from "./workshop";

test("lists the provider's resources and data sources", async () => {
  const workshop = await openWorkshop({ configured: false });
  const metadata = await workshop.getMetadata({});
  expect(metadata).toMatchObject({
    resources: [{ typeName: "shop_tool" }],
    dataSources: [{ typeName: "shop_catalog" }],
    functions: [],
    ephemeralResources: [],
    serverCapabilities: {
      getProviderSchemaOptional: true,
      moveResourceState: true,
      planDestroy: false,
    },
  });
});

test("returns the schemas of the provider, its resources and its data sources", async () => {
  const workshop = await openWorkshop({ configured: false });
  const schema = await workshop.getProviderSchema({});
  const tool = schema.resourceSchemas["shop_tool"];
  expect(schema.diagnostics).toEqual([]);
  expect(schema.provider?.block?.attributes.map(({ name }) => name)).toEqual([
    "base_url",
    "access_token",
  ]);
  expect(Object.keys(schema.dataSourceSchemas)).toEqual(["shop_catalog"]);
  expect(tool?.version).toBe(2);
  const types = tool?.block?.attributes.map(({ name, type, nestedType }) => [
    name,
    nestedType === undefined
      ? (JSON.parse(Buffer.from(type).toString()) as unknown)
      : [nestedType.nesting, nestedType.attributes.map((attribute) => attribute.name)],
  ]);
  expect(Object.fromEntries(types ?? [])).toEqual({
    tool_name: "string",
    pieces: "number",
    ratio: "number",
    extra: "dynamic",
    tags: ["set", "string"],
    labels: ["map", "string"],
    pin: "string",
    old: "bool",
    handle: ["SINGLE", ["made_of", "serial", "key"]],
    parts: ["LIST", ["size"]],
    on: "bool",
    place: "string",
    id: "string",
    etag: "string",
  });
  expect(
    tool?.block?.blockTypes.map(({ typeName, nesting, maxItems }) => [typeName, nesting, maxItems]),
  ).toEqual([
    ["hole", "LIST", 2],
    ["ring", "SET", 0],
    ["box", "SINGLE", 0],
    ["timeouts", "SINGLE", 0],
  ]);
  const flags = tool?.block?.attributes
    .filter(({ name }) => ["tool_name", "on", "id", "pin", "old"].includes(name))
    .map((each) => [each.required, each.optional, each.computed, each.sensitive, each.deprecated]);
  expect(flags).toEqual([
    [true, false, false, false, false],
    [false, true, false, true, false],
    [false, true, false, false, true],
    [false, true, true, false, false],
    [false, false, true, false, false],
  ]);
});

test("says why an attribute and a block are deprecated, by the names of Terraform", async () => {
  const doc = "x";
  const text = (label: (name: string) => string) => `use \`${label("madeOf")}\``;
  const attributes = {
    madeOf: optional(t.string(), { doc }),
    old: optional(t.string(), { doc, deprecated: text }),
  };
  const { block: schema } = wireSchema(
    resource("shop_tool", {
      doc,
      attributes: { ...attributes, inner: optional(t.object(attributes), { doc }) },
      blocks: { part: block.list({ attributes }, { doc, deprecated: text }) },
    }),
  );
  const [madeOf, old, inner] = schema.attributes;
  expect(madeOf?.deprecated).toBeUndefined();
  const texts = [old?.deprecated, inner?.nested?.attributes[1]?.deprecated];
  expect([...texts, schema.blocks[0]?.block.deprecated]).toEqual(Array(3).fill("use `made_of`"));

  const workshop = await openWorkshop({ configured: false });
  const { resourceSchemas } = await workshop.getProviderSchema({});
  const served = resourceSchemas["shop_tool"]?.block?.attributes.map((each) => [
    each.name,
    each.deprecated,
    each.deprecationMessage,
  ]);
  expect(served).toContainEqual(["old", true, expect.stringMatching(/./)]);
  expect(served).toContainEqual(["pin", false, ""]);
});

test("names what the provider does not offer", async () => {
  const workshop = await openWorkshop();
  expect(await workshop.getFunctions({})).toEqual({ functions: {}, diagnostics: [] });
  const { error } = await workshop.callFunction({ name: "gone" });
  expect(error?.text).toContain('The provider "shop" has no function "gone"');
  const refused = [
    workshop.moveResourceState({ targetTypeName: "shop_gone" }),
    workshop.openEphemeralResource({ typeName: "shop_gone" }),
    workshop.readDataSource({ typeName: "shop_gone" }),
  ];
  const found = (await Promise.all(refused)).flatMap(({ diagnostics }) => summaries(diagnostics));
  expect(found).toEqual([
    "ERROR - Unknown Resource Type",
    "ERROR - Unknown Ephemeral Resource Type",
    "ERROR - Unknown Data Source Type",
  ]);
});

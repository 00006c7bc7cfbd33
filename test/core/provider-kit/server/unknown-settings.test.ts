import { settingsNotKnownYet, unknownSettings } from "../../../../src/core/provider-kit";
import { block, optional, provider, t, UNKNOWN } from "../../../../src/core/schema";

const shop = provider("shop", {
  doc: "A shop.",
  attributes: {
    baseUrl: optional(t.string(), { doc: "x" }),
    caFile: optional(t.string(), { doc: "x", wire: "ca" }),
  },
  blocks: {
    tills: block.list(
      { attributes: { accessKey: optional(t.string(), { doc: "x" }) } },
      { doc: "x", wire: "till" },
    ),
  },
});
const names = ["baseUrl", "caFile", "tills"] as const;
const known = { baseUrl: "https://shop.example", caFile: null, tills: [{ accessKey: "k" }] };

test.each<[string, object, readonly string[]]>([
  ["none while all are known or left out", {}, []],
  ["an attribute", { baseUrl: UNKNOWN }, ["baseUrl"]],
  ["a block that is unknown as a whole", { tills: UNKNOWN }, ["tills"]],
  ["a block with an unknown attribute", { tills: [{ accessKey: UNKNOWN }] }, ["tills"]],
  ["several, as they were asked for", { tills: UNKNOWN, caFile: UNKNOWN }, ["caFile", "tills"]],
])("unknown settings are %s", (_, config, expected) => {
  expect(unknownSettings({ ...known, ...config }, names)).toEqual(expected);
});

test("only the requested settings count", () => {
  expect(unknownSettings({ ...known, baseUrl: UNKNOWN }, ["tills"])).toEqual([]);
});

test("the error names them as the configuration does, with the fix", () => {
  const error = settingsNotKnownYet(shop, ["caFile", "tills"], { to: "sell anything" });
  expect(error.summary).toBe("Provider Setting Not Known Yet");
  expect(error.detail).toBe(
    "The shop provider cannot sell anything while its ca, till are only known after apply. Create what " +
      "the setting depends on first (terraform apply -target=…), or set the setting to a value that is " +
      "known during the plan.",
  );
  const other = { to: "sell anything", otherwise: "set SHOP_URL" };
  expect(settingsNotKnownYet(shop, ["baseUrl"], other).detail).toMatch(
    /while its base_url is only known after apply\. .*, or set SHOP_URL\.$/,
  );
});

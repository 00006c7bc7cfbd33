import { stringSetting } from "../../../src/provider-kit";
import { optional, provider, t, UNKNOWN } from "../../../src/schema";

const shop = provider("shop", {
  doc: "A shop.",
  attributes: {
    url: optional(t.string(), { doc: "x", env: ["SHOP_URL", "STORE_URL"] }),
    name: optional(t.string(), { doc: "x" }),
  },
});

const env = { SHOP_URL: "first", STORE_URL: "second", NAME: "other" };

test.each<[string, unknown, Record<string, string>, unknown]>([
  ["the configuration's", "given", env, "given"],
  ["the first variable's", null, env, "first"],
  ["the next variable's, when one is empty", null, { ...env, SHOP_URL: "" }, "second"],
  ["a variable's, when the configuration is empty", "", env, "first"],
  ["unknown while the configuration is, whatever the variables say", UNKNOWN, env, UNKNOWN],
  ["undefined without any", null, { SHOP_URL: "" }, undefined],
])("a setting is %s", (_name, url, variables, expected) => {
  expect(stringSetting(shop, "url", { url }, variables)).toBe(expected);
});

test("a setting without variables comes only from the configuration", () => {
  expect(stringSetting(shop, "name", { name: null }, env)).toBeUndefined();
});

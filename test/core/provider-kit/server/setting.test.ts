import {
  booleanSetting,
  findSetting,
  ProviderError,
  stringSetting,
} from "../../../../src/core/provider-kit";
import { optional, provider, t, UNKNOWN } from "../../../../src/core/schema";

const shop = provider("shop", {
  doc: "A shop.",
  attributes: {
    url: optional(t.string(), { doc: "x", env: ["SHOP_URL", "STORE_URL"] }),
    name: optional(t.string(), { doc: "x" }),
    isOpen: optional(t.bool(), { doc: "x", env: ["SHOP_OPEN"] }),
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

test("a setting is found with its place, as Terraform or the environment names it", () => {
  expect(findSetting(shop, "url", { url: "given" }, env)).toEqual({
    value: "given",
    source: "url",
  });
  expect(findSetting(shop, "url", {}, env)).toEqual({ value: "first", source: "SHOP_URL" });
});

test.each<[string, unknown, string | undefined, unknown]>([
  ["the configuration's", false, "true", false],
  ["the variable's", null, "TRUE", true],
  ["the variable's, as a number", null, "0", false],
  ["unknown while the configuration is", UNKNOWN, "true", UNKNOWN],
  ["undefined without any", null, "", undefined],
])("a boolean setting is %s", (_name, isOpen, variable, expected) => {
  expect(booleanSetting(shop, "isOpen", { isOpen }, { SHOP_OPEN: variable })).toBe(expected);
});

test("a boolean setting refuses another text in the environment, and names the variable", () => {
  const read = () => booleanSetting(shop, "isOpen", {}, { SHOP_OPEN: "maybe" });
  expect(read).toThrow(ProviderError);
  expect(read).toThrow("SHOP_OPEN must be true or false");
});

import { known } from "../../../../src/core/provider-kit";
import { UNKNOWN } from "../../../../src/core/schema";

test("known values are returned unchanged", () => {
  const values = { id: "x", list: [{ a: 1n }, null], map: { k: true } };
  expect(known(values)).toBe(values);
});

test("an error names the unknown value", () => {
  const values = { id: "x", items: [{ key: "a" }, { key: UNKNOWN }] };
  expect(() => known(values)).toThrow("items[1].key was left unknown");
});

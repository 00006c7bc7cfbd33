import { known } from "../../../src/provider-kit";
import { UNKNOWN } from "../../../src/schema";

test("what is known is handed back as it is", () => {
  const values = { id: "x", list: [{ a: 1n }, null], map: { k: true } };
  expect(known(values)).toBe(values);
});

test("what is left unknown is named", () => {
  const values = { id: "x", items: [{ key: "a" }, { key: UNKNOWN }] };
  expect(() => known(values)).toThrow("items[1].key was left unknown");
});

import type { CtyType } from "../../../../src/core/provider-kit/cty/type";
import {
  type CtyRecord,
  DynamicValue,
  withoutUnknown,
} from "../../../../src/core/provider-kit/cty/value";
import { nonconformity } from "../../../../src/core/provider-kit/plan/conformity";
import { formatPath, UNKNOWN } from "../../../../src/core/schema";

const type: CtyType = {
  object: [
    { wire: "name", name: "name", type: "string" },
    { wire: "count", name: "count", type: "number" },
    { wire: "list", name: "list", type: { list: "string" } },
    { wire: "set", name: "set", type: { set: "string" } },
    { wire: "map", name: "map", type: { map: "string" } },
    { wire: "any", name: "any", type: "dynamic" },
    { wire: "inner", name: "inner", type: { object: [{ wire: "x", name: "x", type: "string" }] } },
  ],
};

const planned = {
  name: "a",
  count: 1,
  list: ["a", "b"],
  set: ["a", "b"],
  map: { k: "v" },
  any: new DynamicValue("string", "a"),
  inner: { x: "y" },
};

function compare(change: object, plan: object = {}): string | undefined {
  const found = nonconformity(type, { ...planned, ...plan }, { ...planned, ...plan, ...change });
  return found && `${formatPath(found.path)} ${found.reason}`;
}

test("accepts the planned values, with sets in any order and numbers in any form", () => {
  expect(compare({})).toBeUndefined();
  expect(
    compare({ set: ["b", "a"], count: 1n, any: new DynamicValue("string", "a") }),
  ).toBeUndefined();
});

test.each<[object, string]>([
  [{ name: "b" }, "name"],
  [{ name: null }, "name"],
  [{ count: undefined }, "count"],
  [{ count: "1" }, "count"],
  [{ list: ["a", "c"] }, "list[1]"],
  [{ list: ["a"] }, "list"],
  [{ set: ["a"] }, "set"],
  [{ map: { k: "w" } }, "map.k"],
  [{ map: { other: "v" } }, "map.k"],
  [{ map: {} }, "map"],
  [{ any: new DynamicValue("string", "b") }, "any"],
  [{ inner: { x: "z" } }, "inner.x"],
  [{ inner: null }, "inner"],
])("finds %j", (change, path) => {
  expect(compare(change)).toBe(`${path} differs from the plan`);
});

test("accepts any known value for an unknown one, and nothing else", () => {
  expect(compare({ name: "b", inner: null }, { name: UNKNOWN, inner: UNKNOWN })).toBeUndefined();
  expect(compare({ list: ["a", "z"] }, { list: ["a", UNKNOWN] })).toBeUndefined();
  expect(compare({ list: ["b", "z"] }, { list: ["a", UNKNOWN] })).toBe(
    "list[0] differs from the plan",
  );
  expect(compare({ list: null }, { list: ["a", UNKNOWN] })).toBe("list differs from the plan");
  expect(compare({ list: ["a"] }, { list: ["a", UNKNOWN] })).toBe("list differs from the plan");
  expect(compare({ set: ["z", "a"] }, { set: ["a", UNKNOWN] })).toBeUndefined();
});

test("finds a value that is still unknown", () => {
  expect(compare({ name: UNKNOWN }, { name: UNKNOWN })).toBe("name unknown");
  expect(compare({ map: { k: UNKNOWN } }, { map: UNKNOWN })).toBe("map.k unknown");
  expect(compare({ set: ["a", UNKNOWN] }, { set: ["a", UNKNOWN] })).toBe("set[1] unknown");
  expect(compare({ name: UNKNOWN })).toBe("name unknown");
});

test("converts a partly unknown value to a state", () => {
  const open: CtyRecord = {
    name: UNKNOWN,
    list: ["a", UNKNOWN],
    map: { k: UNKNOWN },
    inner: { x: UNKNOWN },
  };
  expect(withoutUnknown({ ...planned, ...open })).toEqual({
    ...planned,
    name: null,
    list: ["a", null],
    map: { k: null },
    inner: { x: null },
  });
});

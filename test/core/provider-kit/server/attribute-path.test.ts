import type { CtyField, CtyType } from "../../../../src/core/provider-kit/cty/type";
import { toAttributePath } from "../../../../src/core/provider-kit/server/diagnostic";
import type { Path } from "../../../../src/core/schema/finding";

const item: readonly CtyField[] = [{ wire: "is_on", name: "isOn", type: "bool" }];
const type: CtyType = {
  object: [
    { wire: "rule", name: "rules", type: { list: { object: item } } },
    { wire: "by_name", name: "byName", type: { map: { object: item } } },
    { wire: "some", name: "some", type: { set: { object: item } } },
    { wire: "pair", name: "pair", type: { tuple: ["string", { object: item }] } },
    { wire: "any_thing", name: "anything", type: "dynamic" },
  ],
};

it.each<[Path, readonly object[]]>([
  [[], []],
  [
    ["rules", 2, "isOn"],
    [{ attributeName: "rule" }, { elementKeyInt: 2 }, { attributeName: "is_on" }],
  ],
  [
    ["byName", "k"],
    [{ attributeName: "by_name" }, { elementKeyString: "k" }],
  ],
  [
    ["pair", 1, "isOn"],
    [{ attributeName: "pair" }, { elementKeyInt: 1 }, { attributeName: "is_on" }],
  ],
])("the path %j is translated step by step", (path, steps) => {
  expect(toAttributePath(type, path)).toEqual({ steps });
});

it.each<[string, Path, readonly object[]]>([
  ["at a set", ["some", 0, "isOn"], [{ attributeName: "some" }]],
  ["at a dynamic value", ["anything", "a"], [{ attributeName: "any_thing" }]],
  [
    "at an attribute that does not exist",
    ["rules", 0, "nope"],
    [{ attributeName: "rule" }, { elementKeyInt: 0 }],
  ],
  ["at Terraform's name instead of JavaScript's", ["by_name"], []],
  ["at a key for a list", ["rules", "a"], [{ attributeName: "rule" }]],
  ["at a position for a map", ["byName", 0], [{ attributeName: "by_name" }]],
  ["beyond a tuple", ["pair", 2], [{ attributeName: "pair" }]],
  ["inside a text", ["pair", 0, 0], [{ attributeName: "pair" }, { elementKeyInt: 0 }]],
])("a path ends %s", (_case, path, steps) => {
  expect(toAttributePath(type, path)).toEqual({ steps });
});

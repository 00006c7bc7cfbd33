import { Decimal } from "../../../../src/core/provider-kit/cty/number";
import { equal } from "../../../../src/core/provider-kit/cty/equal";
import type { CtyType } from "../../../../src/core/provider-kit/cty/type";
import { type CtyValue, DynamicValue } from "../../../../src/core/provider-kit/cty/value";
import { UNKNOWN } from "../../../../src/core/schema/type";

const person: CtyType = {
  object: [
    { wire: "first_name", name: "firstName", type: "string" },
    { wire: "age", name: "age", type: "number" },
  ],
};

it.each<[string, CtyType, CtyValue, CtyValue]>([
  ["numbers of equal value", "number", 1, 1n],
  ["a number and a decimal", "number", 1n, new Decimal("1.0")],
  ["a fraction and a decimal", "number", 0.1, new Decimal("1e-1")],
  ["a large double and its integer", "number", 2 ** 70, 2n ** 70n],
  ["both zeros", "number", 0, -0],
  ["texts that differ in composition", "string", "e\u0301", "\u00e9"],
  ["unknown values", "bool", UNKNOWN, UNKNOWN],
  ["nulls", person, null, null],
  ["a missing attribute and a null one", person, { age: 1 }, { age: 1, firstName: null }],
  ["sets in another order", { set: "number" }, [1, 2], [2, 1]],
  ["sets with repetition", { set: "number" }, [1, 1n, 2], [2, 1]],
  [
    "nested sets",
    { set: { set: "number" } },
    [[1, 2], [3]],
    [
      [3, 3],
      [2, 1],
    ],
  ],
  ["sets of objects", { set: person }, [{ age: 1 }, { age: 2 }], [{ age: 2n }, { age: 1 }]],
  ["lists", { list: "string" }, ["a", null], ["a", null]],
  ["tuples", { tuple: ["string", "number"] }, ["a", 1], ["a", 1n]],
  ["maps in another order", { map: "number" }, { a: 1, b: 2 }, { b: 2, a: 1 }],
  ["dynamic values", "dynamic", new DynamicValue("number", 1), new DynamicValue("number", 1n)],
])("equal are %s", (_case, type, a, b) => {
  expect(equal(type, a, b)).toBe(true);
  expect(equal(type, b, a)).toBe(true);
});

it.each<[string, CtyType, CtyValue, CtyValue]>([
  ["neighbouring large numbers", "number", 2n ** 53n, 2n ** 53n + 1n],
  ["unknown and known", "number", UNKNOWN, 1],
  ["unknown and null", "number", UNKNOWN, null],
  ["null and empty", { list: "string" }, null, []],
  ["null and the empty text", "string", null, ""],
  ["a bool and its text", "bool", true, "true"],
  ["lists in another order", { list: "number" }, [1, 2], [2, 1]],
  ["lists of another length", { list: "number" }, [1], [1, 1]],
  ["sets of one and of two unknown elements", { set: "number" }, [UNKNOWN], [UNKNOWN, UNKNOWN]],
  ["a map with null and one without the key", { map: "number" }, { a: null }, {}],
  ["maps with other keys", { map: "number" }, { a: 1 }, { b: 1 }],
  ["objects with another attribute", person, { age: 1 }, { age: 2 }],
  ["an object and a list", person, { age: 1 }, []],
  [
    "dynamic values of other types",
    "dynamic",
    new DynamicValue("string", null),
    new DynamicValue("bool", null),
  ],
])("not equal are %s", (_case, type, a, b) => {
  expect(equal(type, a, b)).toBe(false);
  expect(equal(type, b, a)).toBe(false);
});

import * as fc from "fast-check";
import { typeFromJson, typeToJson } from "../../../../src/core/provider-kit/cty/type";
import { anyType } from "./arbitrary";

it.each([
  '"string"',
  '"dynamic"',
  '["list","string"]',
  '["set",["map","number"]]',
  '["tuple",["string",["list","bool"]]]',
  '["tuple",[]]',
  '["object",{}]',
  '["object",{"a":"string","b":["list","bool"]}]',
  '["object",{"a":"string","b":"bool"},["b"]]',
])("%s is read and written back the same", (text) => {
  expect(typeToJson(typeFromJson(text))).toBe(text);
});

it("attributes are written sorted, under Terraform's names", () => {
  const type = {
    object: [
      { wire: "z_z", name: "zZ", type: "string" },
      { wire: "a_a", name: "aA", type: "bool", optional: true },
    ],
  } as const;
  expect(typeToJson(type)).toBe('["object",{"a_a":"bool","z_z":"string"},["a_a"]]');
});

it("every type survives the round trip", () => {
  fc.assert(
    fc.property(anyType, (type) => {
      const text = typeToJson(type);
      expect(typeToJson(typeFromJson(text))).toBe(text);
    }),
  );
});

it.each([
  ["", "is not JSON"],
  ["1", "is neither a name nor an array"],
  ['"text"', 'contains the unknown type "text"'],
  ['["list"]', "has an array of the wrong length (got 1)"],
  ['["list","bool","bool"]', "has an array of the wrong length (got 3)"],
  ['["bag","bool"]', 'contains the unknown kind "bag"'],
  ['["tuple","bool"]', "has a tuple without an array of types"],
  ['["object",["a"]]', "has an object without a map of attributes"],
  ['["object",{"a":"bool"},["b"]]', "lists an optional attribute that the object does not have"],
  [`${'["list",'.repeat(600)}"bool"${"]".repeat(600)}`, "is nested deeper than 500 levels"],
])("%s is refused", (text, message) => {
  expect(() => typeFromJson(text)).toThrow(message);
});

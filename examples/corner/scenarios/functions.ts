import type { Scenario, Step } from "./scenario";

const call = (text: string): string => `provider::corner::${text}`;
const output = (value: string): string => `output "NAME" {\n  value = ${value}\n}`;

const returns = (text: string, value: unknown, type: unknown): Step => ({
  config: output(call(text)),
  output: value,
  type,
});

const refuses = (text: string, refused: string, more = ""): Step => ({
  config: output(call(text)) + more,
  refused,
});

/** A resource makes the result unknown during the plan, and keeps its type. */
const later = (text: string, value: unknown, type: unknown): Step => ({
  config: `resource "terraform_data" "NAME" {\n  input = ${call(text)}\n}\n${output("terraform_data.NAME.output")}`,
  unknownOutput: true,
  output: value,
  type,
});

const invalid = "Invalid function argument";

/** A null whose type is known. */
const typedNull = `\nvariable "NAME" {\n  type    = string\n  default = null\n}`;

const pair = `{ attr1 = "a", attr2 = 123 }`;
const pairType = ["object", { attr1: "string", attr2: "number" }];
const anyPair = (one: string, two: string): string =>
  `object_with_dynamic({ dynamic_attr1 = ${one}, dynamic_attr2 = ${two} })`;
const anyPairType = (one: unknown, two: unknown) => [
  "object",
  { dynamic_attr1: one, dynamic_attr2: two },
];
const overflow = "3.40282346638528859811704183484516925440e+39";
const underflow = "1.401298464324817070923729583289916131280e-46";

/** Each function, with a call, its result and the type of the result. */
const simple: readonly (readonly [name: string, call: string, value: unknown, type: unknown])[] = [
  ["bool", "bool(true)", true, "bool"],
  ["float32", "float32(1.23)", Math.fround(1.23), "number"],
  ["float64", "float64(1.23)", 1.23, "number"],
  ["int32", "int32(123)", 123, "number"],
  ["int64", "int64(123)", 123, "number"],
  ["list", `list(["a", "b"])`, ["a", "b"], ["list", "string"]],
  ["map", `map({ one = "a", two = "b" })`, { one: "a", two: "b" }, ["map", "string"]],
  ["object", `object(${pair})`, { attr1: "a", attr2: 123 }, pairType],
  ["set", `set(["a", "b"])`, ["a", "b"], ["set", "string"]],
  ["string", `string("a")`, "a", "string"],
];

export const functions: readonly Scenario[] = [
  ...simple.flatMap(([name, text, value, type]) => [
    { name: `${name}() returns a value`, steps: [returns(text, value, type)] },
    { name: `${name}() refuses null`, steps: [refuses(`${name}(null)`, invalid)] },
    { name: `${name}() is called during the plan`, steps: [later(text, value, type)] },
  ]),
  {
    name: "number() returns each digit",
    steps: [
      {
        config: output(`tostring(${call("number(9223372036854775809)")})`),
        output: "9223372036854775809",
      },
    ],
  },
  { name: "number() refuses null", steps: [refuses("number(null)", invalid)] },
  {
    name: "number() is called during the plan",
    steps: [
      {
        config: `resource "terraform_data" "NAME" {\n  input = ${call("number(9223372036854775809)")}\n}\n${output("tostring(terraform_data.NAME.output)")}`,
        unknownOutput: true,
        output: "9223372036854775809",
      },
    ],
  },
  {
    name: "float32() refuses what has more than 32 bits",
    steps: [overflow, `-${overflow}`, underflow, `-${underflow}`].map((text) =>
      refuses(`float32(${text})`, invalid),
    ),
  },
  {
    name: "object() refuses an object without one of its members",
    steps: [refuses(`object({ attr1 = "a" })`, `attribute "attr2" is required`)],
  },
  {
    name: "object() takes a member that is null",
    steps: [
      returns(`object({ attr1 = "a", attr2 = null })`, { attr1: "a", attr2: null }, pairType),
    ],
  },
  {
    name: "object_with_dynamic() returns primitive values",
    steps: [
      returns(
        anyPair(`"a"`, "true"),
        { dynamic_attr1: "a", dynamic_attr2: true },
        anyPairType("string", "bool"),
      ),
    ],
  },
  {
    name: "object_with_dynamic() returns collections",
    steps: [
      returns(
        anyPair("tolist([1, 2])", `tomap({ one = "a", two = true })`),
        { dynamic_attr1: [1, 2], dynamic_attr2: { one: "a", two: "true" } },
        anyPairType(["list", "number"], ["map", "string"]),
      ),
    ],
  },
  {
    name: "object_with_dynamic() returns a tuple and an object",
    steps: [
      returns(
        anyPair("[1, 2]", `{ one = "a", two = true }`),
        { dynamic_attr1: [1, 2], dynamic_attr2: { one: "a", two: true } },
        anyPairType(["tuple", ["number", "number"]], ["object", { one: "string", two: "bool" }]),
      ),
    ],
  },
  {
    name: "object_with_dynamic() refuses an object without one of its members",
    steps: [
      refuses(
        `object_with_dynamic({ dynamic_attr1 = "a" })`,
        `attribute "dynamic_attr2" is required`,
      ),
    ],
  },
  {
    name: "object_with_dynamic() takes a member that is null",
    steps: [
      returns(
        anyPair(`"a"`, "null"),
        { dynamic_attr1: "a", dynamic_attr2: null },
        anyPairType("string", "dynamic"),
      ),
    ],
  },
  {
    name: "object_with_dynamic() refuses null",
    steps: [refuses("object_with_dynamic(null)", invalid)],
  },
  {
    name: "object_with_dynamic() is called during the plan",
    steps: [
      later(
        anyPair(`"a"`, "123"),
        { dynamic_attr1: "a", dynamic_attr2: 123 },
        anyPairType("string", "number"),
      ),
    ],
  },
  { name: "dynamic() returns a string", steps: [returns(`dynamic("a")`, "a", "string")] },
  {
    name: "dynamic() returns a list",
    steps: [returns("dynamic(tolist([true, false]))", [true, false], ["list", "bool"])],
  },
  {
    name: "dynamic() returns an object",
    steps: [
      returns(
        `dynamic({ one = "a", two = 1234.5, three = true })`,
        { one: "a", two: 1234.5, three: true },
        ["object", { one: "string", two: "number", three: "bool" }],
      ),
    ],
  },
  { name: "dynamic() refuses null", steps: [refuses("dynamic(null)", invalid)] },
  {
    name: "dynamic() refuses null with a type",
    steps: [refuses("dynamic(var.NAME)", invalid, typedNull)],
  },
  {
    name: "dynamic() is called during the plan",
    steps: [later(`dynamic(toset(["a", "b"]))`, ["a", "b"], ["set", "string"])],
  },
  { name: "variadic() takes no value", steps: [returns("variadic()", [], ["list", "string"])] },
  {
    name: "variadic() takes one value",
    steps: [returns(`variadic("a")`, ["a"], ["list", "string"])],
  },
  {
    name: "variadic() takes several values",
    steps: [returns(`variadic("a", "b")`, ["a", "b"], ["list", "string"])],
  },
  { name: "variadic() refuses null", steps: [refuses("variadic(null)", invalid)] },
  {
    name: "variadic() is called during the plan",
    steps: [later(`variadic("a")`, ["a"], ["list", "string"])],
  },
  {
    name: "dynamic_variadic() takes no value",
    steps: [returns("dynamic_variadic()", [], ["tuple", []])],
  },
  {
    name: "dynamic_variadic() takes one value",
    steps: [returns(`dynamic_variadic("a")`, ["a"], ["tuple", ["string"]])],
  },
  {
    name: "dynamic_variadic() takes two strings",
    steps: [returns(`dynamic_variadic("a", "b")`, ["a", "b"], ["tuple", ["string", "string"]])],
  },
  {
    name: "dynamic_variadic() takes two objects",
    steps: [
      returns(
        `dynamic_variadic({ one = 1234.5 }, { one = 200 })`,
        [{ one: 1234.5 }, { one: 200 }],
        [
          "tuple",
          [
            ["object", { one: "number" }],
            ["object", { one: "number" }],
          ],
        ],
      ),
    ],
  },
  {
    name: "dynamic_variadic() takes values of several types",
    steps: [
      returns(
        `dynamic_variadic(true, "a", 1234.5)`,
        [true, "a", 1234.5],
        ["tuple", ["bool", "string", "number"]],
      ),
    ],
  },
  { name: "dynamic_variadic() refuses null", steps: [refuses("dynamic_variadic(null)", invalid)] },
  {
    name: "dynamic_variadic() refuses null with a type",
    steps: [refuses("dynamic_variadic(var.NAME)", invalid, typedNull)],
  },
  {
    name: "dynamic_variadic() is called during the plan",
    steps: [later(`dynamic_variadic("a")`, ["a"], ["tuple", ["string"]])],
  },
];

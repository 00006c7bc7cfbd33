import { parameter } from "../../../../src/core/workspace/parameter/declare";
import { details, summaries } from "../../provider-kit/server/protocol";
import {
  type Environment,
  parameterInput,
  previousInput,
  readData,
  startBuild,
  validateData,
} from "../provider/provider";

const input = (value: string) => parameterInput("size", value);

const readSize = (config: object, environment: Environment = {}) =>
  readData(parameter, { name: "size", ...config }, environment);

const bounds = (given: object) => ({
  type: "number",
  validation: [
    {
      min: null,
      max: null,
      monotonic: null,
      regex: null,
      error: null,
      minDisabled: null,
      maxDisabled: null,
      ...given,
    },
  ],
});

const option = (value: string) => ({
  name: `Option ${value}`,
  value,
  description: null,
  icon: null,
});

describe("the value", () => {
  test.each<[string, object, Environment, unknown]>([
    ["the input", { default: "d" }, input("i"), "i"],
    ["the input, although it is empty", { default: "d" }, input(""), ""],
    ["the default without an input", { default: "d" }, {}, "d"],
    ["the default, although it is empty", { default: "" }, {}, ""],
    ["empty without any", {}, {}, ""],
    ["empty without any, although there are bounds", bounds({ min: 1 }), {}, ""],
    [
      "the input, independent of other parameters",
      {},
      { ...input("i"), ...parameterInput("Size", "x") },
      "i",
    ],
  ])("is %s", async (_name, config, environment, expected) => {
    const { state, diagnostics } = await readSize(config, environment);
    expect(diagnostics).toEqual([]);
    expect(state?.["value"]).toBe(expected);
    expect(state?.["optional"]).toBe("default" in config);
  });

  test("is found by a name in any alphabet", async () => {
    const { state } = await readData(
      parameter,
      { name: "größe 🚀" },
      parameterInput("größe 🚀", "XL"),
    );
    expect(state?.["value"]).toBe("XL");
  });
});

describe("in a real build", () => {
  test("a parameter without a value is refused, with a fix", async () => {
    const { diagnostics } = await readSize({}, startBuild);
    expect(summaries(diagnostics)).toEqual(["ERROR value Missing Parameter Value"]);
    expect(details(diagnostics)).toContain("TRIVET_PARAMETER_");
  });

  test("a default that is used instead of an input causes a warning", async () => {
    const { state, diagnostics } = await readSize({ default: "d" }, startBuild);
    expect(summaries(diagnostics)).toEqual([
      "WARNING default Parameter Default Used Instead Of Input",
    ]);
    expect(state?.["value"]).toBe("d");
  });

  test("an input is used without warnings", async () => {
    const { diagnostics } = await readSize({ default: "d" }, { ...startBuild, ...input("i") });
    expect(diagnostics).toEqual([]);
  });
});

describe("a value that breaks the rules is refused", () => {
  test("as an input, at the value", async () => {
    const { diagnostics } = await readSize(
      { ...bounds({ min: 1, max: 4 }), default: "2" },
      input("9"),
    );
    expect(summaries(diagnostics)).toEqual(["ERROR value Invalid Parameter Value"]);
    expect(details(diagnostics)).toContain(
      'The parameter "size" cannot have the value "9", which was entered: must be at most 4.',
    );
  });

  test("as a default, at the default, even if it is known only at the read", async () => {
    const { diagnostics } = await readSize({ ...bounds({ min: 3 }), default: "2" });
    expect(summaries(diagnostics)).toEqual(["ERROR default Invalid Parameter Default"]);
    expect(details(diagnostics)).toContain(
      'the value "2", which is its default: must be at least 3.',
    );
  });

  test("with the author's message, in which % has no special meaning", async () => {
    const error = "100% of {value} is not {min}..{max}!";
    const { diagnostics } = await readSize(bounds({ min: 1, max: 4, error }), input("9"));
    expect(details(diagnostics)).toMatch(/: 100% of 9 is not 1\.\.4!$/);
  });

  test("without showing all of a long one", async () => {
    const long = "x".repeat(5000);
    const validation = [{ ...bounds({}).validation[0], regex: "^y$", error: "No: {value}" }];
    const { diagnostics } = await readSize({ validation }, input(long));
    expect(summaries(diagnostics)).toEqual(["ERROR value Invalid Parameter Value"]);
    expect(details(diagnostics).length).toBeLessThan(500);
  });

  test.each<[string, object, string]>([
    ["a value that is not an option", { options: [option("a"), option("b")] }, "c"],
    [
      "several values of which one is not an option",
      { type: "list(string)", formType: "multi-select", options: [option("a")] },
      '["a","c"]',
    ],
    ["a string that is not a number", { type: "number" }, "many"],
    ["a number that is not whole within bounds", bounds({ min: 1 }), "1.5"],
    ["a string that is not a boolean", { type: "bool" }, "yes"],
    ["an empty boolean", { type: "bool" }, ""],
    ["an invalid list", { type: "list(string)" }, "a,b"],
  ])("such as %s", async (_name, config, value) => {
    const { diagnostics } = await readSize(config, input(value));
    expect(summaries(diagnostics)).toEqual(["ERROR value Invalid Parameter Value"]);
  });
});

describe("a number that may only increase", () => {
  const rising = bounds({ monotonic: "increasing" });

  test.each<[string, object, Environment]>([
    ["rises", {}, { ...input("9007199254740993"), ...previousInput("size", "9007199254740992") }],
    ["stays", {}, { ...input("5"), ...previousInput("size", "5") }],
    ["had no value before", {}, input("5")],
    ["had a value that is no number before", {}, { ...input("5"), ...previousInput("size", "") }],
  ])("is accepted when it %s", async (_name, config, environment) => {
    expect((await readSize({ ...rising, ...config }, environment)).diagnostics).toEqual([]);
  });

  test.each<[string, object, Environment, string]>([
    ["an input", {}, input("4"), "ERROR value Invalid Parameter Value"],
    ["the default", { default: "4" }, {}, "ERROR default Invalid Parameter Default"],
  ])("is refused when %s is less", async (_name, config, environment, expected) => {
    const previous = previousInput("size", "5");
    const { diagnostics } = await readSize(
      { ...rising, ...config },
      { ...environment, ...previous },
    );
    expect(summaries(diagnostics)).toEqual([expected]);
    expect(details(diagnostics)).toContain("previous value 5");
  });
});

test.each<[string, boolean, string]>([
  ["string", false, "input"],
  ["string", true, "radio"],
  ["number", false, "input"],
  ["number", true, "radio"],
  ["bool", false, "checkbox"],
  ["bool", true, "radio"],
  ["list(string)", false, "tag-select"],
  ["list(string)", true, "radio"],
])("a %s with options (%s) is entered by default with %s", async (type, hasOptions, expected) => {
  const value = { number: "1", bool: "true" }[type] ?? "[]";
  const options = hasOptions ? [option(value)] : [];
  const { state, diagnostics } = await readSize({ type, options });
  expect([state?.["formType"], diagnostics]).toEqual([expected, []]);
});

test("a form type that is set is kept", async () => {
  expect((await readSize({ formType: "textarea" })).state?.["formType"]).toBe("textarea");
});

test.each<[object, boolean, boolean]>([
  [{ min: 0 }, false, true],
  [{ max: 0 }, true, false],
  [{ monotonic: "increasing" }, true, true],
])("bounds %j are distinguished from no bounds", async (given, minDisabled, maxDisabled) => {
  const { state } = await readSize(bounds(given));
  expect(state?.["validation"]).toMatchObject([{ minDisabled, maxDisabled }]);
});

test("the ID is derived from the name", async () => {
  const id = async (name: string) => (await readData(parameter, { name })).state?.["id"];
  expect(await id("size")).toMatch(
    /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
  );
  expect(await id("size")).toBe((await readSize({ default: "x" }, input("y"))).state?.["id"]);
  expect(await id("size")).not.toBe(await id("Size"));
});

test.each<[object, string]>([
  [{ formType: "slider" }, "ERROR form_type Invalid Attribute Value"],
  [{ ...bounds({ min: 3 }), default: "2" }, "ERROR default Invalid Attribute Value"],
  [{ options: [option("a"), option("a")] }, "ERROR option.1.name Invalid Attribute Value"],
  [{ ephemeral: true, default: "" }, "ERROR ephemeral Invalid Attribute Value"],
  [{ name: "" }, "ERROR name Invalid Attribute Value"],
])("the definition of a parameter is checked before it is read: %j", async (config, expected) => {
  expect(summaries(await validateData(parameter, { name: "size", ...config }))).toContain(expected);
});

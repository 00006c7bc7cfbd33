import fc from "fast-check";
import type { ParameterRules } from "../../../../src/core/workspace/parameter/known-definition";
import {
  optionProblems,
  valueProblem,
} from "../../../../src/core/workspace/parameter/value-problem";

const parameter = (
  type: ParameterRules["type"],
  rest: Partial<Omit<ParameterRules, "type" | "options">> & { readonly options?: string[] } = {},
): ParameterRules => ({
  type,
  formType: rest.formType ?? "",
  options: (rest.options ?? []).map((value) => ({ name: `the ${value}`, value })),
  validation: rest.validation,
});

const messageOf = (...[rules, value, previous]: [ParameterRules, string, string?]) =>
  valueProblem(rules, value, { previous })?.message;

describe("a value without options and validation", () => {
  test.each([
    ["string", ["", "a", "%", "{value}", "\n"]],
    ["number", ["0", "-1.5e3", "9223372036854775808", ".5"]],
    ["bool", ["true", "F", "1"]],
    ["list(string)", ["[]", "null", ' ["a", "a"] ']],
  ] as const)("is a %s", (type, values) => {
    for (const value of values) expect(messageOf(parameter(type), value)).toBeUndefined();
  });

  test.each([
    ["number", ["", "a", "NaN", "Inf", "0x10", "1e309", "1_000"], "must be a decimal number"],
    ["bool", ["", "yes", "tRUE"], "must be a boolean: true or false"],
    [
      "list(string)",
      ["", "a", "[1]", "[null]", "{}"],
      'must be a JSON list of strings, such as ["a", "b"]',
    ],
  ] as const)("is no %s", (type, values, problem) => {
    for (const value of values) expect(messageOf(parameter(type), value)).toBe(problem);
  });
});

describe("a number with validation", () => {
  const whole = "must be an integer of at most 64 bits";

  test.each([
    [{}, "5", undefined],
    [{}, "5.0", whole],
    [{}, "", whole],
    [{}, "9223372036854775808", whole],
    [{ min: null, max: null, monotonic: null, regex: null, error: null }, "-5", undefined],
    [{ min: 1, max: 5 }, "1", undefined],
    [{ min: 1, max: 5 }, "5", undefined],
    [{ min: 1, max: 5 }, "0", "must be at least 1"],
    [{ min: 1, max: 5 }, "+6", "must be at most 5"],
    [{ min: 0 }, "-1", "must be at least 0"],
    [{ max: 0 }, "1", "must be at most 0"],
    [{ min: 9007199254740993n }, "9007199254740992", "must be at least 9007199254740993"],
    [{ min: 9007199254740993n }, "9007199254740993", undefined],
    [{ max: 9007199254740992 }, "9007199254740993", "must be at most 9007199254740992"],
    [{ max: 9223372036854775807n }, "9223372036854775807", undefined],
    // The definition's own check reports contradictions.
    [{ regex: "^a" }, "5", undefined],
    [{ min: 1.5 }, "1", "must be at least 1.5"],
    [{ monotonic: "sideways" }, "5", undefined],
  ])("with %p, %p: %p", (validation, value, problem) => {
    expect(messageOf(parameter("number", { validation }), value, "5")).toBe(problem);
  });

  test("compares exactly with bounds of either kind", () => {
    const near = fc.bigInt(2n ** 53n - 10n, 2n ** 53n + 10n);
    fc.assert(
      fc.property(near, near, (min, value) => {
        const refused = (bound: number | bigint): boolean =>
          messageOf(parameter("number", { validation: { min: bound } }), `${value}`) !== undefined;
        expect(refused(min)).toBe(value < min);
        if (min <= 2n ** 53n) expect(refused(Number(min))).toBe(value < min);
      }),
    );
  });

  const rise = (before: string): string =>
    `must not be less than the previous value ${before}, because it may only increase`;
  const fall = (before: string): string =>
    `must not be greater than the previous value ${before}, because it may only decrease`;

  test.each([
    ["increasing", "5", "5", undefined],
    ["increasing", "5", "6", undefined],
    ["increasing", "5", "4", rise("5")],
    ["decreasing", "5", "5", undefined],
    ["decreasing", "5", "4", undefined],
    ["decreasing", "-5", "-4", fall("-5")],
    ["increasing", "9007199254740993", "9007199254740992", rise("9007199254740993")],
    // Nothing to compare with.
    ["increasing", undefined, "4", undefined],
    ["increasing", "", "4", undefined],
    ["increasing", "9.5", "4", undefined],
    ["increasing", "x", "4", undefined],
  ])("that is %s from %p to %p: %p", (monotonic, previous, value, problem) => {
    const rules = parameter("number", { validation: { monotonic, error: "Never shown." } });
    expect(messageOf(rules, value, previous)).toBe(problem);
  });
});

describe("the author's own message", () => {
  test.each([
    [{ min: 1, max: 5, error: "{value} is not in {min}..{max}" }, "9", "9 is not in 1..5"],
    [{ min: 1, max: 5, error: "{value} is not in {min}..{max}" }, "0", "0 is not in 1..5"],
    [{ min: 1, max: 5, error: "{value} is not in {min}..{max}" }, "x", "x is not in 1..5"],
    [{ min: 1, error: "from {min} to {max}" }, "0", "from 1 to no maximum"],
    [{ max: 1, error: "from {min} to {max}" }, "2", "from no minimum to 1"],
    [{ min: 1n, error: "{min}{min} {other} {" }, "0", "11 {other} {"],
    [{ min: 50, error: "at least {min}% %d %s %%" }, "1", "at least 50% %d %s %%"],
    [{ min: 1, error: "{value}" }, "{min}$&", "{min}$&"],
    [{ min: 1, error: "" }, "0", "must be at least 1"],
  ])("%p of %p: %p", (validation, value, problem) => {
    expect(messageOf(parameter("number", { validation }), value)).toBe(problem);
  });

  test("is also used for a regular expression that does not match", () => {
    const validation = { regex: "^a+$", error: "{value} needs 100% a's, {min}" };
    expect(messageOf(parameter("string", { validation }), "b")).toBe(
      "b needs 100% a's, no minimum",
    );
  });
});

describe("a string with validation", () => {
  test.each([
    [{}, "a", undefined],
    [{ regex: "b" }, "abc", undefined],
    [{ regex: "^b" }, "abc", "must match the regular expression ^b"],
    [{ regex: "^$" }, "", undefined],
    [{ regex: "[" }, "a", undefined],
    [{ regex: "(?=a)" }, "b", undefined],
    [{ min: 5, max: 1, monotonic: "increasing" }, "3", undefined],
  ])("with %p, %p: %p", (validation, value, problem) => {
    expect(messageOf(parameter("string", { validation }), value)).toBe(problem);
  });

  test("is matched without stalling", () => {
    const rules = parameter("string", { validation: { regex: "^(a+)+$", error: "Only a." } });
    expect(messageOf(rules, `${"a".repeat(100_000)}!`)).toBe("Only a.");
    const large = parameter("string", { validation: { regex: "\\pL{1000}\\pL{1000}$" } });
    expect(messageOf(large, "a".repeat(100_000))).toMatch(
      /^must be at most \d+ characters long to be matched/,
    );
  });
});

test.each([
  ["true", undefined],
  ["false", undefined],
  ["1", "must be true or false"],
  ["True", "must be true or false"],
  ["true\n", "must be true or false"],
])("a boolean with validation, %p: %p", (value, problem) => {
  expect(messageOf(parameter("bool", { validation: {} }), value)).toBe(problem);
});

test.each([
  ["[]", undefined],
  ["a", 'must be a JSON list of strings, such as ["a", "b"]'],
])("a list with validation, %p: %p", (value, problem) => {
  const validation = { min: 1, regex: "x", error: "Never shown." };
  expect(messageOf(parameter("list(string)", { validation }), value)).toBe(problem);
});

describe("a value with options", () => {
  test.each([
    ["string", "radio", ["a", "b"], "a", undefined],
    ["string", "radio", ["a", "b"], "A", 'must be one of the options: "a", "b"'],
    ["string", "radio", [""], "", undefined],
    ["number", "dropdown", ["1", "2"], "1.0", 'must be one of the options: "1", "2"'],
    ["bool", "radio", ["true"], "1", 'must be one of the options: "true"'],
    ["list(string)", "radio", ['["a"]'], '["a"]', undefined],
    ["list(string)", "radio", ['["a"]'], '[ "a"]', 'must be one of the options: "[\\"a\\"]"'],
    ["list(string)", "multi-select", ["a", "b"], '["b", "a", "b"]', undefined],
    ["list(string)", "multi-select", ["a", "b"], "[]", undefined],
    ["list(string)", "multi-select", ["a", "b"], "null", undefined],
    [
      "list(string)",
      "multi-select",
      ["a", "b"],
      '["a", "c"]',
      'must contain only options, but "c" is not one of them: "a", "b"',
    ],
    [
      "list(string)",
      "multi-select",
      ["a"],
      "a",
      'must be a JSON list of strings, such as ["a", "b"]',
    ],
  ] as const)("of type %s as %s of %p, %p: %p", (type, formType, options, value, problem) => {
    expect(messageOf(parameter(type, { formType, options: [...options] }), value)).toBe(problem);
  });

  test("names a few of many options", () => {
    const options = Array.from({ length: 1_024 }, (_, index) => `${index}`);
    expect(messageOf(parameter("string", { options }), "x")).toMatch(/"9" and 1014 more$/);
  });

  test("must satisfy the validation as well", () => {
    const rules = parameter("number", { options: ["1", "9"], validation: { max: 5 } });
    expect(messageOf(rules, "9")).toBe("must be at most 5");
  });
});

test.each([
  ["string", "radio", {}, "a", undefined],
  ["number", "radio", undefined, "a", "must be a decimal number"],
  ["number", "radio", { max: 5 }, "9", "must be at most 5"],
  ["string", "radio", { regex: "^a" }, "b", "must match the regular expression ^a"],
  ["bool", "radio", undefined, "yes", "must be a boolean: true or false"],
  ["list(string)", "radio", undefined, "a", 'must be a JSON list of strings, such as ["a", "b"]'],
  ["list(string)", "multi-select", undefined, "a", undefined],
] as const)(
  "an option of type %s as %s with %p, %p: %p",
  (type, formType, validation, value, problem) => {
    const rules = parameter(type, { formType, validation });
    const found = [...optionProblems([{ name: "it", value }], rules)].map(({ message }) => message);
    expect(found).toEqual(problem === undefined ? [] : [`${problem} (got "${value}")`]);
  },
);

test("it never throws, for any value and rules", () => {
  const bound = fc.option(fc.oneof(fc.double(), fc.bigInt(), fc.integer()));
  const text = fc.option(fc.string());
  const rules = fc.record({
    type: fc.constantFrom("string", "number", "bool", "list(string)"),
    formType: fc.constantFrom("radio", "multi-select", "input", "x"),
    options: fc.array(fc.record({ name: fc.string(), value: fc.string() })),
    validation: fc.option(
      fc.record({ min: bound, max: bound, monotonic: text, regex: text, error: text }),
      { nil: undefined },
    ),
  });
  const value = fc.oneof(fc.string({ unit: "binary" }), fc.json(), fc.bigInt().map(String));
  fc.assert(
    fc.property(rules, value, fc.option(value, { nil: undefined }), (given, text, previous) => {
      const problem = messageOf(given, text, previous);
      expect(problem === undefined || typeof problem === "string").toBe(true);
    }),
  );
});

describe("in the platform's words", () => {
  const said = (rules: ParameterRules, value: string, isDefault = false) =>
    valueProblem({ ...rules, isPlatforms: true }, value, {
      isDefault,
      previous: "5",
    })?.platform.join("; ");
  const refused = "Invalid parameter value according to 'validation' block; ";

  test.each([
    ["number", { min: 1 }, "0", "value 0 is less than the minimum 1"],
    ["number", { max: 1, error: "{min} to {max}, not {value}" }, "2", "0 to 1, not 2"],
    ["number", { max: 1, error: "not {value}" }, "$&{max}", "not $&{max}"],
    [
      "number",
      { monotonic: "up" },
      "2",
      'number monotonicity can be either "increasing" or "decreasing"',
    ],
    [
      "number",
      { monotonic: "increasing" },
      "4",
      "parameter value '4' must be equal or greater than previous value: 5",
    ],
    [
      "number",
      { monotonic: "decreasing" },
      "6",
      "parameter value '6' must be equal or lower than previous value: 5",
    ],
    ["bool", { min: 1 }, "true", "a min cannot be specified for a bool type"],
    ["string", { regex: "^a", error: "{value}!" }, "b", '{value}! (value "b" does not match "^a")'],
    [
      "string",
      { regex: "^a", error: "" },
      "a",
      "an error must be specified with a regex validation",
    ],
    ["list(string)", {}, "a", 'value "a" is not valid list of strings'],
  ] as const)("a %s with %p, %p: %s", (type, validation, value, problem) => {
    expect(said(parameter(type, { validation }), value)).toBe(refused + problem);
  });

  test("numbers and lists are those of Go", () => {
    for (const value of ["NaN", "-Inf", "0x1p-2", "1e3"]) {
      expect(said(parameter("number"), value)).toBeUndefined();
    }
    expect(said(parameter("number"), "-NaN")).toMatch(/is not a number$/);
    expect(said(parameter("list(string)"), "[null]")).toBeUndefined();
  });

  test("a pattern that is only too long for us refuses nothing", () => {
    const validation = { regex: "a".repeat(2_000), error: "Never shown." };
    expect(said(parameter("string", { validation }), "b")).toBeUndefined();
  });

  test("a default is named", () => {
    expect(said(parameter("string", { options: ["a"] }), "b", true)).toMatch(
      /^Default value must be/,
    );
  });
});

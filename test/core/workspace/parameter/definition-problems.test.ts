import { UNKNOWN } from "../../../../src/core/schema";
import { definitionProblems } from "../../../../src/core/workspace/parameter/definition-problems";
import type { ParameterDefinition } from "../../../../src/core/workspace/parameter/known-definition";

const problems = (parameter: ParameterDefinition): readonly string[] =>
  definitionProblems(parameter, (value) => value === UNKNOWN).map(
    ({ path, message }) => `${path.join(".")} ${message}`,
  );

const options = (...values: readonly unknown[]) =>
  values.map((value, index) => ({ name: `option ${index}`, value }));

test.each<ParameterDefinition>([
  {},
  { type: null, formType: null, options: null, validation: null, default: null, ephemeral: null },
  { default: "a", mutable: true, ephemeral: true },
  { type: "number", formType: "slider", default: "3", validation: [{ min: 1, max: 5 }] },
  { type: "number", validation: [{ min: 5, max: 5, monotonic: "increasing" }], default: "5" },
  { type: "string", validation: [{ regex: "^a", error: "Begin with a." }], default: "ab" },
  { type: "bool", formType: "switch", default: "true" },
  { type: "string", options: options("a", "b"), default: "b" },
  { type: "list(string)", options: options('["a"]'), default: '["a"]' },
  { type: "list(string)", formType: "multi-select", options: options("a", "b"), default: '["b"]' },
  { type: "list(string)", default: '["x"]' },
  { options: [], default: "" },
  { validation: [] },
  { validation: [{}] },
])("finds nothing wrong with %p", (parameter) => {
  expect(problems(parameter)).toEqual([]);
});

test.each<[ParameterDefinition, ...string[]]>([
  [
    { formType: "slider" },
    'formType must be input or textarea for a parameter of type string without options (got "slider")',
  ],
  [
    { type: "list(string)", formType: "radio" },
    'formType must be tag-select for a parameter of type list(string) without options (got "radio")',
  ],
  [
    { type: "bool", formType: "checkbox", options: options("true") },
    'formType must be radio or dropdown for a parameter of type bool with options (got "checkbox")',
  ],
  [
    { formType: "error" },
    'formType must not be error, which marks a form control that could not be determined (got "error")',
  ],
  [
    {
      options: [
        { name: "a", value: "1" },
        { name: "b", value: "1" },
        { name: "a", value: "2" },
      ],
    },
    'options.1.value must be unique among the options (got "1")',
    'options.2.name must be unique among the options (got "a")',
  ],
  [
    { type: "number", options: options("1", "x", "y"), default: "1" },
    'options.1.value must be a decimal number (got "x")',
    'options.2.value must be a decimal number (got "y")',
  ],
  [
    { type: "number", options: options("1", "9"), validation: [{ max: 5 }] },
    'options.1.value must be at most 5 (got "9")',
  ],
  [
    { type: "list(string)", options: options("a") },
    'options.0.value must be a JSON list of strings, such as ["a", "b"] (got "a")',
  ],
  [
    { type: "string", validation: [{ min: 1, max: 2, monotonic: "increasing" }] },
    "validation.0.min must not be set for a parameter of type string, only for a number",
    "validation.0.max must not be set for a parameter of type string, only for a number",
    "validation.0.monotonic must not be set for a parameter of type string, only for a number",
  ],
  [
    { type: "number", validation: [{ min: 1, regex: "a" }] },
    "validation.0.regex must not be set for a parameter of type number, only for a string",
  ],
  [
    { type: UNKNOWN, validation: [{ min: 1, regex: "a", error: "E" }] },
    "validation.0.regex cannot be combined with min",
  ],
  [
    { validation: [{ regex: "a" }] },
    "validation.0.error must be set with a regular expression, so that users know what is expected",
  ],
  [
    { validation: [{ regex: "a", error: "" }] },
    "validation.0.error must be set with a regular expression, so that users know what is expected",
  ],
  [
    { type: "number", validation: [{ min: 5, max: 1 }], default: "3" },
    "validation.0.min must be at most the maximum 1 (got 5)",
  ],
  [
    { type: "number", validation: [{ min: 9007199254740993n, max: 9007199254740992 }] },
    "validation.0.min must be at most the maximum 9007199254740992 (got 9007199254740993)",
  ],
  [{ type: "number", default: "x" }, 'default must be a decimal number (got "x")'],
  [{ type: "number", default: "" }, 'default must be a decimal number (got "")'],
  [
    {
      type: "number",
      validation: [{ max: 5, error: "At most {max}, not {value}!" }],
      default: "9",
    },
    'default At most 5, not 9! (got "9")',
  ],
  [{ options: options("a"), default: "b" }, 'default must be one of the options: "a" (got "b")'],
  [
    { ephemeral: true },
    "ephemeral must not be true unless the parameter is mutable",
    "ephemeral must not be true without a default",
  ],
  [
    { ephemeral: true, mutable: false, default: "" },
    "ephemeral must not be true unless the parameter is mutable",
  ],
])("%p", (parameter, ...found) => {
  expect(problems(parameter)).toEqual(found);
});

describe("what is unknown", () => {
  test.each<ParameterDefinition>([
    { type: UNKNOWN, formType: "slider", default: "x", options: options("a") },
    { type: "string", formType: UNKNOWN, default: "x" },
    { type: "number", options: UNKNOWN, formType: "radio", default: "5" },
    { type: "string", options: options("a", UNKNOWN), default: "b" },
    { type: "string", options: [UNKNOWN, { name: "a", value: "a" }], default: "b" },
    { type: "list(string)", formType: UNKNOWN, options: options("a"), default: '["x"]' },
    { type: "number", validation: UNKNOWN, default: "5.5" },
    { type: "number", validation: [UNKNOWN], default: "5" },
    { type: "number", validation: [{ min: UNKNOWN, max: 5 }], default: "-100" },
    { type: "string", validation: [{ regex: UNKNOWN, error: null }], default: "a" },
    { type: "string", validation: [{ regex: "a", error: UNKNOWN }], default: "a" },
    { type: "string", validation: [{ min: UNKNOWN, max: UNKNOWN }] },
    { ephemeral: true, mutable: UNKNOWN, default: UNKNOWN },
    { ephemeral: UNKNOWN },
    {
      options: [
        { name: UNKNOWN, value: "a" },
        { name: UNKNOWN, value: "b" },
      ],
      default: "a",
    },
  ])("is left out of %p", (parameter) => {
    expect(problems(parameter)).toEqual([]);
  });

  test("hides no finding that does not depend on it", () => {
    expect(
      problems({
        type: "number",
        formType: UNKNOWN,
        options: [{ name: UNKNOWN, value: "x" }, UNKNOWN],
        validation: [{ min: UNKNOWN, max: 5, error: UNKNOWN }],
        default: "9",
      }),
    ).toEqual([
      'options.0.value must be an integer of at most 64 bits (got "x")',
      'default must be at most 5 (got "9")',
    ]);
  });
});

test("what is of a wrong type is left to the attribute's own rule", () => {
  expect(
    problems({
      type: 5,
      formType: {},
      options: "a",
      validation: [{ min: "1", max: {}, regex: 5, error: [] }],
      default: 3,
      mutable: "x",
      ephemeral: 1,
    }),
  ).toEqual([]);
  expect(problems({ options: [null, 5, "a"], validation: [null], default: "b" })).toEqual([]);
});

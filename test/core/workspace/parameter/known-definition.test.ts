import {
  defaultFormType,
  formTypes,
  formTypesFor,
} from "../../../../src/core/workspace/parameter/known-definition";

// Written from the platform's table, with every value in every place.
const allFormTypes = [
  "radio",
  "dropdown",
  "input",
  "textarea",
  "slider",
  "checkbox",
  "switch",
  "multi-select",
  "tag-select",
  "error",
];

test.each([
  ["string", true, "radio", ["radio", "dropdown"]],
  ["string", false, "input", ["input", "textarea"]],
  ["number", true, "radio", ["radio", "dropdown"]],
  ["number", false, "input", ["input", "slider"]],
  ["bool", true, "radio", ["radio", "dropdown"]],
  ["bool", false, "checkbox", ["checkbox", "switch"]],
  ["list(string)", true, "radio", ["radio", "multi-select"]],
  ["list(string)", false, "tag-select", ["tag-select"]],
] as const)("a %s with options (%p) is by default a %s, and may be %p", (type, has, first, all) => {
  expect(defaultFormType(type, has)).toBe(first);
  expect(
    allFormTypes.filter((formType) => formTypesFor(type, has).includes(formType)).sort(),
  ).toEqual([...all].sort());
});

test("no other types exist", () => {
  expect(Object.keys(formTypes)).toEqual(["string", "number", "bool", "list(string)"]);
});

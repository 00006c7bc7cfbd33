import { UNKNOWN } from "../../../../src/core/schema";
import type { AcceptanceRow } from "../../../accept/table";
import { advice, invalid, onConstruct, rowsOn } from "../../../accept/row";

const { accepts, refuses, warns } = rowsOn({ name: "region" });

const number = (validation: object, rest: object = {}): object => ({
  type: "number",
  validation,
  ...rest,
});
const text = (validation: object, rest: object = {}): object => ({ validation, ...rest });

const oneAndTwo = [
  { name: "one", value: "1" },
  { name: "two", value: "2" },
];

const validation: readonly AcceptanceRow[] = [
  accepts("bounds", number({ min: 0, max: 10 })),
  accepts("one bound", number({ min: -5 })),
  accepts("bounds that are equal", number({ min: 3, max: 3 })),
  accepts("bounds beyond the range of a double", number({ max: 9007199254740993n })),
  accepts("bounds that are unknown", number({ min: UNKNOWN, max: UNKNOWN }, { default: "7" })),
  refuses("a min above the max", number({ min: 5, max: 4 }), invalid("validation", "min")),
  refuses(
    "two validations",
    { type: "number", validation: [{ min: 1 }, { max: 2 }] },
    invalid("validation"),
  ),
  ...["increasing", "decreasing"].map((monotonic) =>
    accepts(`the monotonic ${monotonic}`, number({ monotonic })),
  ),
  ...["", "Increasing", "up"].map((monotonic) =>
    refuses(
      `the monotonic ${JSON.stringify(monotonic)}`,
      number({ monotonic }),
      invalid("validation", "monotonic"),
    ),
  ),
  ...(["string", "bool", "list(string)"] as const).flatMap((type) => [
    refuses(
      `a min of the type ${type}`,
      { type, validation: { min: 1 } },
      invalid("validation", "min"),
    ),
    refuses(
      `a max of the type ${type}`,
      { type, validation: { max: 1 } },
      invalid("validation", "max"),
    ),
    refuses(
      `a monotonic of the type ${type}`,
      { type, validation: { monotonic: "increasing" } },
      invalid("validation", "monotonic"),
    ),
  ]),
  ...(["number", "bool", "list(string)"] as const).map((type) =>
    refuses(
      `a regex of the type ${type}`,
      { type, validation: { regex: "^a$", error: "no" } },
      invalid("validation", "regex"),
    ),
  ),
  ...onConstruct([
    accepts(
      "a default that matches the regex as Terraform reads it",
      text({ regex: "^\\$\\{HOME\\}$", error: "no" }, { default: "$${HOME}" }),
    ),
  ]),
  accepts("a regex", text({ regex: "^[a-z]+$", error: "lowercase only" })),
  accepts(
    "a regex that only RE2 supports",
    text({ regex: "(?i)^eu$", error: "no" }, { default: "EU" }),
  ),
  ...["(", "a(?=b)", "(?<!a)b", "\\1"].map((regex) =>
    refuses(
      `the regex ${regex}, which RE2 does not support`,
      text({ regex, error: "no" }),
      invalid("validation", "regex"),
    ),
  ),
  refuses(
    "a regex of more than 1000 bytes",
    text({ regex: "a".repeat(1001), error: "no" }),
    invalid("validation", "regex"),
  ),
  refuses("a regex without an error", text({ regex: "a" }), invalid("validation", "error")),
  refuses(
    "a regex with an empty error",
    text({ regex: "a", error: "" }),
    invalid("validation", "error"),
  ),
  accepts("a regex whose error is unknown", text({ regex: "a", error: UNKNOWN })),
  accepts("an unknown regex", text({ regex: UNKNOWN, error: "no" }, { default: "b" })),
  accepts(
    "a part of the default that matches",
    text({ regex: "eu", error: "no" }, { default: "x eu" }),
  ),
  refuses(
    "a default that does not match",
    text({ regex: "^eu$", error: "no" }, { default: "x eu" }),
    invalid("default"),
  ),
  accepts("a default at the bound", number({ min: 0, max: 10 }, { default: "10" })),
  ...["-1", "11", "1.5", "1e1", "ten", "", "9223372036854775808"].map((value) =>
    refuses(
      `the default ${JSON.stringify(value)} within 0 and 10`,
      number({ min: 0, max: 10 }, { default: value }),
      invalid("default"),
    ),
  ),
  refuses(
    "a default that is one above a bound beyond the range of a double",
    number({ max: 9007199254740992n }, { default: "9007199254740993" }),
    invalid("default"),
  ),
  refuses(
    "a short boolean with a validation",
    { type: "bool", validation: {}, default: "t" },
    invalid("default"),
  ),
  accepts("a full boolean with a validation", { type: "bool", validation: {}, default: "true" }),
  refuses(
    "an option that the validation refuses",
    number({ max: 1 }, { options: oneAndTwo }),
    invalid("options", 1, "value"),
  ),
  accepts("options that the validation allows", number({ max: 2 }, { options: oneAndTwo })),
  accepts("no default with a validation, while a template is imported", number({ min: 1 })),
];

const slider: readonly AcceptanceRow[] = [
  accepts("a slider with bounds", {
    type: "number",
    formType: "slider",
    validation: { min: 0, max: 10 },
  }),
  warns("a slider without bounds", { type: "number", formType: "slider" }, advice("formType")),
  warns(
    "a slider without an upper bound",
    { type: "number", formType: "slider", validation: { min: 1 } },
    advice("formType"),
  ),
];

/** A construct also accepts the JavaScript values of these strings. */
const natural: readonly AcceptanceRow[] = onConstruct([
  accepts("a number as the default", { type: "number", default: 7 }),
  accepts("a number beyond the range of a double as the default", {
    type: "number",
    default: 2n ** 60n,
  }),
  accepts("a boolean as the default", { type: "bool", default: false }),
  accepts("a list as the default", { type: "list(string)", default: ["a", "b"] }),
  accepts("numbers as the values of options", {
    type: "number",
    options: [{ name: "one", value: 1 }],
  }),
  refuses(
    "a number out of bounds as the default",
    number({ max: 1 }, { default: 2 }),
    invalid("default"),
  ),
  refuses(
    "a list with an element that is not a string",
    { type: "list(string)", default: [1] },
    invalid("default"),
  ),
]);

/** The rules on what a value must satisfy, and on values in other notations. */
export const validationRows: readonly AcceptanceRow[] = [...validation, ...slider, ...natural];

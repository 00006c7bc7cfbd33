import type { BuildRow } from "../../../accept/table";
import { anyUuid, noBuild, startBuild, stopBuild, variable } from "../environment";
import { rowsOn } from "../../../accept/row";

const { build } = rowsOn({ name: "region" });

const input = (value: string, rest: Readonly<Record<string, string>> = startBuild) => ({
  ...rest,
  [variable.parameter("region")]: value,
});
const inputAfter = (previous: string, value: string) => ({
  ...input(value),
  [variable.previousParameter("region")]: previous,
});

const options = [
  { name: "Europe", value: "eu" },
  { name: "America", value: "us" },
];

const values: readonly BuildRow[] = [
  build("is empty without a value, while a template is imported", {}, noBuild, {
    outputs: {
      value: "",
      optional: false,
      type: "string",
      formType: "input",
      mutable: false,
      ephemeral: false,
      styling: "{}",
      default: null,
      id: anyUuid,
    },
  }),
  build("has no options and no validation if none are set", {}, noBuild, {
    outputs: { options: [], validation: [] },
  }),
  build(
    "has null for the unset attributes of an option",
    { options: [{ name: "Europe", value: "eu" }] },
    noBuild,
    { outputs: { options: [{ name: "Europe", value: "eu", description: null, icon: null }] } },
  ),
  build(
    "is empty without a value but with bounds, while a template is imported",
    { type: "number", validation: { min: 1 } },
    noBuild,
    {
      outputs: {
        value: "",
        validation: [{ min: 1, max: null, minDisabled: false, maxDisabled: true }],
      },
    },
  ),
  build("has the default, while a template is imported", { default: "eu" }, noBuild, {
    outputs: { value: "eu", optional: true },
  }),
  build("is optional with an empty default", { default: "" }, noBuild, {
    outputs: { value: "", optional: true },
  }),
  build("has the input", { default: "eu" }, input("us"), { outputs: { value: "us" } }),
  build(
    "has the input by a name in several alphabets",
    { name: "Größe 🙂" },
    {
      ...startBuild,
      [variable.parameter("Größe 🙂")]: "xl",
    },
    { outputs: { value: "xl" } },
  ),
  build("treats an empty string as an input", { default: "eu" }, input(""), {
    outputs: { value: "" },
  }),
  build("has the input that is an option", { options }, input("us"), {
    outputs: { value: "us", formType: "radio" },
  }),
  build("refuses to build without a value", {}, startBuild, { refused: [/region/] }),
  build("refuses to build without a value, also to stop", {}, stopBuild, { refused: [/region/] }),
  build("builds with the default, with a warning", { default: "eu" }, startBuild, {
    outputs: { value: "eu" },
    warnings: [/region/],
  }),
  build("uses an input outside a build", { default: "eu" }, input("us", noBuild), {
    outputs: { value: "us" },
  }),
];

const byType: readonly BuildRow[] = [
  ...["7", "-1.5e3", "+3"].map((text) =>
    build(`reads the number ${text}`, { type: "number" }, input(text), {
      outputs: { value: text },
    }),
  ),
  ...["", "seven", "NaN", "Inf", "0x10", "1_000", "1e309"].map((text) =>
    build(`refuses the number ${JSON.stringify(text)}`, { type: "number" }, input(text), {
      refused: [/region/],
    }),
  ),
  ...["true", "F", "1"].map((text) =>
    build(`reads the boolean ${text}`, { type: "bool" }, input(text), { outputs: { value: text } }),
  ),
  ...["", "yes"].map((text) =>
    build(`refuses the boolean ${JSON.stringify(text)}`, { type: "bool" }, input(text), {
      refused: [/region/],
    }),
  ),
  ...["[]", '["a"]', "null"].map((text) =>
    build(`reads the list ${text}`, { type: "list(string)" }, input(text), {
      outputs: { value: text },
    }),
  ),
  ...["", "a", "[null]", "[1]", "{}", "[] x"].map((text) =>
    build(`refuses the list ${JSON.stringify(text)}`, { type: "list(string)" }, input(text), {
      refused: [/region/],
    }),
  ),
  build("refuses an input that is not an option", { options }, input("asia"), {
    refused: [/region/, /asia/],
  }),
  build("refuses an empty input that is not an option", { options }, input(""), {
    refused: [/region/],
  }),
  build(
    "reads a choice of several options",
    { type: "list(string)", formType: "multi-select", options },
    input('["eu","us"]'),
    { outputs: { value: '["eu","us"]' } },
  ),
  build(
    "refuses a choice that is not an option",
    { type: "list(string)", formType: "multi-select", options },
    input('["eu","asia"]'),
    { refused: [/asia/] },
  ),
];

const bounded = { type: "number", validation: { min: 1, max: 10 } };
const withMessage = {
  type: "number",
  validation: { min: 1, max: 10, error: "100% wrong: {value} is not in {min}..{max}" },
};
const matching = { validation: { regex: "^[a-z]+$", error: "lower case, 100% of it" } };
const rising = { type: "number", validation: { monotonic: "increasing" } };
const falling = { type: "number", validation: { monotonic: "decreasing" } };

const validated: readonly BuildRow[] = [
  build("reads a number at a bound", bounded, input("10"), { outputs: { value: "10" } }),
  ...["0", "11", "1.5", "", "ten"].map((text) =>
    build(`refuses ${JSON.stringify(text)} within 1 and 10`, bounded, input(text), {
      refused: [/region/],
    }),
  ),
  ...["0", "11", "1.5"].map((text) =>
    build(`refuses ${text} with the author's message`, withMessage, input(text), {
      refused: [RegExp(`100% wrong: ${text} is not in 1\\.\\.10`)],
    }),
  ),
  build(
    "counts beyond the range of a double",
    { type: "number", validation: { max: 9007199254740992n } },
    input("9007199254740993"),
    { refused: [/region/] },
  ),
  build("reads a string that matches", matching, input("abc"), { outputs: { value: "abc" } }),
  build("refuses a string that does not match, with the author's message", matching, input("ABC"), {
    refused: [/lower case, 100% of it/],
  }),
  build(
    "refuses the short boolean t with a validation",
    { type: "bool", validation: {} },
    input("t"),
    {
      refused: [/region/],
    },
  ),
  build("reads a number that has increased", rising, inputAfter("3", "4"), {
    outputs: { value: "4" },
  }),
  build("reads a number that is the same", rising, inputAfter("3", "3"), {
    outputs: { value: "3" },
  }),
  build("refuses a number that has decreased", rising, inputAfter("3", "2"), {
    refused: [/region/],
  }),
  build("reads a number that has decreased", falling, inputAfter("3", "2"), {
    outputs: { value: "2" },
  }),
  build("refuses a number that has increased", falling, inputAfter("3", "4"), {
    refused: [/region/],
  }),
  ...["9.5", "", "nine"].map((previous) =>
    build(
      `compares with no previous value that is ${JSON.stringify(previous)}`,
      rising,
      inputAfter(previous, "2"),
      { outputs: { value: "2" } },
    ),
  ),
  build("compares with no previous value in the first build", rising, input("2"), {
    outputs: { value: "2" },
  }),
];

/** What happens to a parameter's value. */
export const parameterBuilds: readonly BuildRow[] = [...values, ...byType, ...validated];

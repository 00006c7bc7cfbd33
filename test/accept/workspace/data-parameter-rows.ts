import { UNKNOWN } from "../../../src/schema";
import type { AcceptanceRow } from "../table";
import { advice, invalid, missing, onConstruct, rowsOn } from "./row";

const { accepts, refuses, warns } = rowsOn({ name: "region" });

const eu = { name: "Europe", value: "eu" };
const us = { name: "America", value: "us" };

/** Two options whose values are of the type. */
const optionsOf = {
  string: [eu, us],
  number: [
    { name: "one", value: "1" },
    { name: "two", value: "2" },
  ],
  bool: [
    { name: "on", value: "true" },
    { name: "off", value: "false" },
  ],
  "list(string)": [
    { name: "none", value: "[]" },
    { name: "one", value: '["a"]' },
  ],
} as const;

type Type = keyof typeof optionsOf;

const types = Object.keys(optionsOf) as Type[];

/** The facts' table: the form types of each type, with options and without; all others are refused. */
const forms: Readonly<Record<Type, readonly [readonly string[], readonly string[]]>> = {
  string: [
    ["radio", "dropdown"],
    ["input", "textarea"],
  ],
  number: [
    ["radio", "dropdown"],
    ["input", "slider"],
  ],
  bool: [
    ["radio", "dropdown"],
    ["checkbox", "switch"],
  ],
  "list(string)": [["radio", "multi-select"], ["tag-select"]],
};

const words = [
  "radio",
  "slider",
  "input",
  "dropdown",
  "checkbox",
  "switch",
  "multi-select",
  "tag-select",
  "textarea",
  "error",
];

const bounds = { validation: { min: 0, max: 10 } };

const formTypes: readonly AcceptanceRow[] = types.flatMap((type) =>
  [true, false].flatMap((hasOptions) => {
    const options = hasOptions ? optionsOf[type] : [];
    const fitting = forms[type][hasOptions ? 0 : 1];
    const of = `${hasOptions ? "with" : "without"} options of the type ${type}`;
    return [
      accepts(`no formType ${of}`, { type, options }),
      ...words.map((formType) => {
        const args = {
          type,
          options,
          formType,
          ...(formType === "slider" && type === "number" ? bounds : {}),
        };
        return fitting.includes(formType)
          ? accepts(`the formType ${formType} ${of}`, args)
          : refuses(`the formType ${formType} ${of}`, args, invalid("formType"));
      }),
    ];
  }),
);

const plain: readonly AcceptanceRow[] = [
  ...types.map((type) => accepts(`the type ${type}`, { type })),
  ...["", "String", "int", "list"].map((type) =>
    refuses(`the type ${JSON.stringify(type)}`, { type }, invalid("type")),
  ),
  ...["", "Radio", "text"].map((formType) =>
    refuses(`the formType ${JSON.stringify(formType)}`, { formType }, invalid("formType")),
  ),
  accepts("an empty default", { default: "" }),
  accepts("a negative order", { order: -1 }),
  accepts("a styling", { styling: '{"disabled":true}' }),
  ...["", "disabled", "[]", "null", '"x"', "{"].map((styling) =>
    refuses(`the styling ${JSON.stringify(styling)}`, { styling }, invalid("styling")),
  ),
  accepts("an icon", { icon: "/icon/region.svg" }),
  refuses("an icon with a bad escape", { icon: "/i%.svg" }, invalid("icon")),
  accepts("an ephemeral parameter that is mutable and has a default", {
    ephemeral: true,
    mutable: true,
    default: "eu",
  }),
  accepts("an ephemeral parameter with an empty default", {
    ephemeral: true,
    mutable: true,
    default: "",
  }),
  refuses(
    "an ephemeral parameter that is not mutable",
    { ephemeral: true, default: "eu" },
    invalid("ephemeral"),
  ),
  refuses(
    "an ephemeral parameter without a default",
    { ephemeral: true, mutable: true },
    invalid("ephemeral"),
  ),
  accepts("an ephemeral parameter whose default is unknown", {
    ephemeral: true,
    mutable: true,
    default: UNKNOWN,
  }),
  accepts("an ephemeral parameter that may be mutable", {
    ephemeral: true,
    mutable: UNKNOWN,
    default: "eu",
  }),
];

/** Texts of each type, and texts that are not. */
const texts: Readonly<Record<Type, readonly [good: readonly string[], bad: readonly string[]]>> = {
  string: [["", "anything", "7", "Ä 100% {min}"], []],
  number: [
    ["0", "7", "-7", "+3", "1.5", ".5", "1e3", "1E-3", "1e308", "9007199254740993"],
    ["", "seven", " 1", "1 ", "1_000", "NaN", "Inf", "-Inf", "0x10", "0x1p-2", "1e309", "1,5"],
  ],
  bool: [
    ["true", "false", "1", "0", "t", "f", "T", "F", "TRUE", "FALSE", "True", "False"],
    ["", "yes", "on", "tRUE", " true"],
  ],
  "list(string)": [
    ["[]", '["a","b"]', ' ["a"] ', "null", '["a","a"]'],
    ["", "a", "{}", "[1]", "[null]", '["a"] more', '["a"', "a,b"],
  ],
};

const defaults: readonly AcceptanceRow[] = types.flatMap((type) => [
  ...texts[type][0].map((text) =>
    accepts(`the default ${JSON.stringify(text)} of the type ${type}`, { type, default: text }),
  ),
  ...texts[type][1].map((text) =>
    refuses(
      `the default ${JSON.stringify(text)} of the type ${type}`,
      { type, default: text },
      invalid("default"),
    ),
  ),
  accepts(`a default of the type ${type} that is unknown`, { type, default: UNKNOWN }),
]);

const options: readonly AcceptanceRow[] = [
  accepts("options", { options: [eu, us] }),
  accepts("options with everything", {
    options: [{ ...eu, description: "In Frankfurt", icon: "/icon/eu.svg" }, us],
  }),
  accepts("1024 options", {
    options: Array.from({ length: 1024 }, (_, i) => ({ name: `n${i}`, value: `v${i}` })),
  }),
  accepts("an option with an empty value", { options: [{ name: "none", value: "" }, eu] }),
  ...(["name", "value"] as const).map((field) =>
    refuses(
      `an option without ${field}`,
      { options: [us, { ...eu, [field]: undefined }] },
      missing("options", 1, field),
    ),
  ),
  refuses(
    "two options with one name",
    { options: [eu, { name: "Europe", value: "us" }] },
    invalid("options", 1, "name"),
  ),
  refuses(
    "two options with one value",
    { options: [eu, { name: "America", value: "eu" }] },
    invalid("options", 1, "value"),
  ),
  refuses(
    "an option's icon with a bad escape",
    { options: [{ ...eu, icon: "/i%.svg" }, us] },
    invalid("options", 0, "icon"),
  ),
  accepts("options that are unknown", {
    options: [
      { name: UNKNOWN, value: UNKNOWN },
      { name: UNKNOWN, value: UNKNOWN },
    ],
  }),
  refuses(
    "every option that is not of the type",
    {
      type: "number",
      options: [
        { name: "a", value: "one" },
        { name: "b", value: "2" },
        { name: "c", value: "three" },
      ],
    },
    invalid("options", 0, "value"),
    invalid("options", 2, "value"),
  ),
  refuses(
    "an option that is no list",
    { type: "list(string)", options: [{ name: "a", value: "a" }] },
    invalid("options", 0, "value"),
  ),
  accepts("plain texts as the options of a multi-select", {
    type: "list(string)",
    formType: "multi-select",
    options: [eu, us],
  }),
  accepts("a default that is an option", { options: [eu, us], default: "us" }),
  refuses(
    "a default that is no option",
    { options: [eu, us], default: "asia" },
    invalid("default"),
  ),
  accepts("a default that may be an option", {
    options: [eu, { name: "other", value: UNKNOWN }],
    default: "asia",
  }),
  refuses(
    "a list that is written otherwise than its option",
    { type: "list(string)", options: [{ name: "a", value: '["a"]' }], default: '[ "a" ]' },
    invalid("default"),
  ),
  ...["[]", "null", '["eu"]', '["eu","eu","us"]'].map((text) =>
    accepts(`the default ${text} of a multi-select`, {
      type: "list(string)",
      formType: "multi-select",
      options: [eu, us],
      default: text,
    }),
  ),
  refuses(
    "an element of a multi-select that is no option",
    {
      type: "list(string)",
      formType: "multi-select",
      options: [eu, us],
      default: '["eu","asia"]',
    },
    invalid("default"),
  ),
];

const number = (validation: object, rest: object = {}): object => ({
  type: "number",
  validation,
  ...rest,
});
const text = (validation: object, rest: object = {}): object => ({ validation, ...rest });

const validation: readonly AcceptanceRow[] = [
  accepts("bounds", number({ min: 0, max: 10 })),
  accepts("one bound", number({ min: -5 })),
  accepts("bounds that are equal", number({ min: 3, max: 3 })),
  accepts("bounds beyond what a double holds", number({ max: 9007199254740993n })),
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
  accepts("a regex", text({ regex: "^[a-z]+$", error: "lower case only" })),
  accepts(
    "a regex that RE2 alone has",
    text({ regex: "(?i)^eu$", error: "no" }, { default: "EU" }),
  ),
  ...["(", "a(?=b)", "(?<!a)b", "\\1"].map((regex) =>
    refuses(
      `the regex ${regex}, which RE2 does not have`,
      text({ regex, error: "no" }),
      invalid("validation", "regex"),
    ),
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
    "a default that is one above a bound that no double holds",
    number({ max: 9007199254740992n }, { default: "9007199254740993" }),
    invalid("default"),
  ),
  refuses(
    "a short word with a validation",
    { type: "bool", validation: {}, default: "t" },
    invalid("default"),
  ),
  accepts("a whole word with a validation", { type: "bool", validation: {}, default: "true" }),
  refuses(
    "an option that the validation refuses",
    number({ max: 1 }, { options: optionsOf.number }),
    invalid("options", 1, "value"),
  ),
  accepts("options that the validation allows", number({ max: 2 }, { options: optionsOf.number })),
  accepts("no default with a validation, while a template is imported", number({ min: 1 })),
];

const slider: readonly AcceptanceRow[] = [
  accepts("a slider with bounds", { type: "number", formType: "slider", ...bounds }),
  warns("a slider without bounds", { type: "number", formType: "slider" }, advice("formType")),
  warns(
    "a slider without an upper bound",
    { type: "number", formType: "slider", validation: { min: 1 } },
    advice("formType"),
  ),
];

/** A construct takes the values that the texts stand for, too. */
const natural: readonly AcceptanceRow[] = onConstruct([
  accepts("a number as the default", { type: "number", default: 7 }),
  accepts("a number that no double holds as the default", { type: "number", default: 2n ** 60n }),
  accepts("a truth value as the default", { type: "bool", default: false }),
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
    "a list with what is no text",
    { type: "list(string)", default: [1] },
    invalid("default"),
  ),
]);

/** The rules of a parameter's definition. */
export const parameterRows: readonly AcceptanceRow[] = [
  ...formTypes,
  ...plain,
  ...defaults,
  ...options,
  ...validation,
  ...slider,
  ...natural,
];

import { UNKNOWN } from "../../../../src/core/schema";
import type { AcceptanceRow } from "../../../accept/table";
import { eu, optionRows, us } from "./table-options";
import { validationRows } from "./table-validation";
import { invalid, rowsOn } from "../../../accept/row";

const { accepts, refuses } = rowsOn({ name: "region" });

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

const allFormTypes = [
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
      ...allFormTypes.map((formType) => {
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
  ...["", " "].map((name) =>
    refuses(`the name ${JSON.stringify(name)}`, { name }, invalid("name")),
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

/** Valid and invalid strings of each type. */
const samples: Readonly<Record<Type, readonly [good: readonly string[], bad: readonly string[]]>> =
  {
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
  ...samples[type][0].map((text) =>
    accepts(`the default ${JSON.stringify(text)} of the type ${type}`, { type, default: text }),
  ),
  ...samples[type][1].map((text) =>
    refuses(
      `the default ${JSON.stringify(text)} of the type ${type}`,
      { type, default: text },
      invalid("default"),
    ),
  ),
  accepts(`a default of the type ${type} that is unknown`, { type, default: UNKNOWN }),
]);

/** The rules of a parameter's definition. */
export const parameterRows: readonly AcceptanceRow[] = [
  ...formTypes,
  ...plain,
  ...defaults,
  ...optionRows,
  ...validationRows,
];

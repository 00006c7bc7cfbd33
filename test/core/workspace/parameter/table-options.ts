import { UNKNOWN } from "../../../../src/core/schema";
import type { AcceptanceRow } from "../../../accept/table";
import { invalid, missing, rowsOn } from "../../../accept/row";

const { accepts, refuses } = rowsOn({ name: "region" });

/** Two options with string values. */
export const eu = { name: "Europe", value: "eu" };
export const us = { name: "America", value: "us" };

/** The rules on options, and on a default that must be one. */
export const optionRows: readonly AcceptanceRow[] = [
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
    "two options with the same name",
    { options: [eu, { name: "Europe", value: "us" }] },
    invalid("options", 1, "name"),
  ),
  refuses(
    "two options with the same value",
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
    "every option of another type",
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
    "an option that is not a list",
    { type: "list(string)", options: [{ name: "a", value: "a" }] },
    invalid("options", 0, "value"),
  ),
  accepts("plain strings as the options of a multi-select", {
    type: "list(string)",
    formType: "multi-select",
    options: [eu, us],
  }),
  accepts("a default that is an option", { options: [eu, us], default: "us" }),
  refuses(
    "a default that is not an option",
    { options: [eu, us], default: "asia" },
    invalid("default"),
  ),
  accepts("a default that may be an option", {
    options: [eu, { name: "other", value: UNKNOWN }],
    default: "asia",
  }),
  refuses(
    "a list with a different notation than its option",
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
    "an element of a multi-select that is not an option",
    {
      type: "list(string)",
      formType: "multi-select",
      options: [eu, us],
      default: '["eu","asia"]',
    },
    invalid("default"),
  ),
];

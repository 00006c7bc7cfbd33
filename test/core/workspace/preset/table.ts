import { UNKNOWN } from "../../../../src/core/schema";
import type { AcceptanceRow, BuildRow } from "../../../accept/table";
import { noBuild } from "../environment";
import type { Kinds, Noun } from "../../../accept/noun";
import { invalid, missing, rowsByKind, rowsOn } from "../../../accept/row";

const base = { name: "Large" };

const inputs: Kinds = {
  name: "string",
  description: "string",
  icon: "string",
  default: "bool",
  parameters: "map",
  prebuilds: {
    block: {
      instances: "number",
      expirationPolicy: { block: { ttl: "number" } },
      scheduling: {
        block: {
          timezone: "string",
          schedules: { blocks: { cron: "string", instances: "number" } },
        },
      },
    },
  },
};

const outputs: Kinds = { id: "string" };

const { accepts, refuses, build } = rowsOn(base);

const plain: readonly AcceptanceRow[] = [
  refuses("an empty name", { name: "" }, invalid("name")),
  refuses("a blank name", { name: " " }, invalid("name")),
  accepts("a description of 128 bytes", { description: "x".repeat(128) }),
  accepts("a description of 64 two-byte characters", { description: "ü".repeat(64) }),
  refuses("a description of 129 bytes", { description: "x".repeat(129) }, invalid("description")),
  refuses(
    "a description whose two-byte characters exceed the limit in bytes",
    { description: "ü".repeat(65) },
    invalid("description"),
  ),
  accepts("an icon of 256 bytes", { icon: `/${"i".repeat(255)}` }),
  refuses("an icon of 257 bytes", { icon: `/${"i".repeat(256)}` }, invalid("icon")),
  refuses("an icon with a bad escape", { icon: "/i%.svg" }, invalid("icon")),
  accepts("a default", { default: true }),
  accepts("parameters, empty values too", { parameters: { region: "eu", size: "" } }),
  accepts("no parameters", { parameters: {} }),
  accepts("a parameter whose value is unknown", { parameters: { region: UNKNOWN } }),
];

const pool = (rest: object): object => ({ prebuilds: { instances: 1, ...rest } });
const ttl = (seconds: unknown): object => pool({ expirationPolicy: { ttl: seconds } });

const prebuilds: readonly AcceptanceRow[] = [
  accepts("no instances", { prebuilds: { instances: 0 } }),
  refuses(
    "a negative number of instances",
    { prebuilds: { instances: -1 } },
    invalid("prebuilds", "instances"),
  ),
  refuses("prebuilds without instances", { prebuilds: {} }, missing("prebuilds", "instances")),
  refuses(
    "two prebuilds blocks",
    { prebuilds: [{ instances: 1 }, { instances: 2 }] },
    invalid("prebuilds"),
  ),
  ...[0, 3600, 31_536_000].map((seconds) => accepts(`a ttl of ${seconds}`, ttl(seconds))),
  ...[-1, 1, 3599, 31_536_001].map((seconds) =>
    refuses(`a ttl of ${seconds}`, ttl(seconds), invalid("prebuilds", "expirationPolicy", "ttl")),
  ),
  accepts("an unknown ttl", ttl(UNKNOWN)),
  refuses(
    "an expirationPolicy without ttl",
    ttl(undefined),
    missing("prebuilds", "expirationPolicy", "ttl"),
  ),
];

const workdays = { cron: "* 8-18 * * 1-5", instances: 5 };

const scheduled = (schedules: readonly unknown[], timezone: unknown = "UTC"): object =>
  pool({ scheduling: { timezone, schedules } });

const inSchedule = (index: number, field: string) =>
  ["prebuilds", "scheduling", "schedules", index, field] as const;

const zones: readonly AcceptanceRow[] = [
  ...["UTC", "", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Local", "US/Eastern"].map(
    (zone) => accepts(`the timezone ${JSON.stringify(zone)}`, scheduled([workdays], zone)),
  ),
  ...["europe/berlin", "Berlin", "Mars/Olympus", "../UTC", "/etc/localtime"].map((zone) =>
    refuses(
      `the timezone ${JSON.stringify(zone)}`,
      scheduled([workdays], zone),
      invalid("prebuilds", "scheduling", "timezone"),
    ),
  ),
  accepts("an unknown timezone", scheduled([workdays], UNKNOWN)),
  refuses(
    "a scheduling without timezone",
    pool({ scheduling: { schedules: [workdays] } }),
    missing("prebuilds", "scheduling", "timezone"),
  ),
];

/** Minute (always a star), hour, day of the month, month, day of the week. */
const crons: readonly AcceptanceRow[] = [
  ...["* * * * *", "* 8-18 * * 1-5", "* 1,13 1-15 JAN-JUN ?", "* */2 * * SUN", " *  8 * * 1 "].map(
    (cron) => accepts(`the cron ${cron}`, scheduled([{ cron, instances: 1 }])),
  ),
  ...[
    "",
    "0 8 * * *",
    "*/5 8 * * *",
    "* 8 * *",
    "* * 8 * * *",
    "* 24 * * *",
    "* * 0 * *",
    "* * 32 * *",
    "* * * 13 *",
    "* * * * 7",
    "* 9-5 * * *",
    "* */0 * * *",
    "@daily",
  ].map((cron) =>
    refuses(
      `the cron ${JSON.stringify(cron)}`,
      scheduled([{ cron, instances: 1 }]),
      invalid(...inSchedule(0, "cron")),
    ),
  ),
  accepts("an unknown cron", scheduled([workdays, { cron: UNKNOWN, instances: 1 }])),
  accepts("an unknown number of instances", scheduled([{ ...workdays, instances: UNKNOWN }])),
  ...(["cron", "instances"] as const).map((field) =>
    refuses(
      `a schedule without ${field}`,
      scheduled([{ ...workdays, [field]: undefined }]),
      missing(...inSchedule(0, field)),
    ),
  ),
  refuses(
    "a negative number of instances in a schedule",
    scheduled([{ ...workdays, instances: -1 }]),
    invalid(...inSchedule(0, "instances")),
  ),
  refuses(
    "a scheduling without schedules",
    scheduled([]),
    missing("prebuilds", "scheduling", "schedules"),
  ),
];

const pair = (a: string, b: string): object =>
  scheduled([
    { cron: a, instances: 1 },
    { cron: b, instances: 2 },
  ]);

/** Months, days and hours must not all intersect. */
const overlaps: readonly AcceptanceRow[] = [
  ...(
    [
      ["other hours", "* 8-12 * * *", "* 13-18 * * *"],
      ["other weekdays", "* 8-18 * * 1-5", "* 8-18 * * 0,6"],
      ["other months", "* 8 * 1-6 *", "* 8 * 7-12 *"],
      ["other days of the month", "* 8 1-15 * *", "* 8 16-31 * *"],
      ["other weekdays by name", "* 8 * * MON-FRI", "* 8 * * SAT"],
      ["other hours by steps", "* 0-22/2 * * *", "* 1-23/2 * * *"],
    ] as const
  ).map(([name, a, b]) => accepts(`schedules of ${name}`, pair(a, b))),
  ...(
    [
      ["the same time", "* 8 * * *", "* 8 * * *"],
      ["one hour in common", "* 8-12 * * *", "* 12-18 * * *"],
      ["one weekday in common", "* 8 * * 1-5", "* 8 * * 5,6"],
      ["one day of the month in common", "* 8 1-15 * *", "* 8 15-31 * *"],
      ["one weekday in common by name", "* 8 * * MON-FRI", "* 8 * * FRI"],
      ["a day of the month in common and other weekdays", "* 8 1 * 1", "* 8 1 * 2"],
    ] as const
  ).map(([name, a, b]) =>
    refuses(`schedules of ${name}`, pair(a, b), invalid(...inSchedule(1, "cron"))),
  ),
  refuses(
    "a third schedule that overlaps the first",
    scheduled([
      { cron: "* 8 * * *", instances: 1 },
      { cron: "* 9 * * *", instances: 1 },
      { cron: "* 8 * * *", instances: 1 },
    ]),
    invalid(...inSchedule(2, "cron")),
  ),
];

const builds: readonly BuildRow[] = [
  build("has its name as the id", {}, noBuild, {
    outputs: { id: "Large", default: false, parameters: null, description: null },
  }),
  build("has no prebuilds if none are set", {}, noBuild, { outputs: { prebuilds: [] } }),
  build("keeps parameters and prebuilds", { parameters: { a: "" }, ...ttl(3600) }, noBuild, {
    outputs: { parameters: { a: "" }, prebuilds: [{ instances: 1 }] },
  }),
];

/** The spec's getWorkspacePreset. */
export const dataWorkspacePreset: Noun = {
  kind: "data source",
  typeName: "workspace_workspace_preset",
  construct: "workspace.DataWorkspacePreset",
  base,
  inputs,
  outputs,
  wire: { schedules: "schedule" },
  rows: [
    ...plain,
    ...prebuilds,
    ...zones,
    ...crons,
    ...overlaps,
    ...rowsByKind({
      base,
      inputs,
      outputs,
      required: ["name"],
      samples: { prebuilds: { instances: 1 } },
    }),
  ],
  builds,
  changes: [],
};

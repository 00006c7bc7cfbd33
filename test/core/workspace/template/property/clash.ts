import type { Expected } from "../../../../accept/table";
import type { Args } from "../../tables";
import { uuid } from "../../environment";
import { conflict, invalid, missing, needs } from "../../../../accept/row";
import type { Breakage } from "./breakage";

/** Arguments that are each valid but conflict with each other, according to the spec. */
type Clash = readonly [name: string, found: Expected, args: Args];

/** Overrides the arguments of a part; undefined removes one. */
const clashes: Readonly<Record<string, readonly Clash[]>> = {
  workspace_agent: [
    [
      "two metadatas of one key",
      invalid("metadatas", 1, "key"),
      { metadatas: ["a", "a"].map((key) => ({ key, script: "", interval: 1 })) },
    ],
    [
      "monitoring of nothing",
      missing("resourcesMonitoring", "memory"),
      { resourcesMonitoring: { volumes: [] } },
    ],
    [
      "a relative volume",
      invalid("resourcesMonitoring", "volumes", 0, "path"),
      {
        os: "linux",
        resourcesMonitoring: { volumes: [{ path: "a", enabled: true, threshold: 1 }] },
      },
    ],
    [
      "two volumes of one path",
      invalid("resourcesMonitoring", "volumes", 1, "path"),
      {
        resourcesMonitoring: {
          volumes: [1, 2].map((threshold) => ({ path: "/a", enabled: true, threshold })),
        },
      },
    ],
  ],
  workspace_ai_task: [
    ["both apps", conflict("sidebarApp"), { appId: uuid, sidebarApp: { id: uuid } }],
    ["no app", conflict("appId"), { appId: undefined, sidebarApp: undefined }],
  ],
  workspace_app: [
    [
      "a command and a url",
      conflict("command"),
      { command: "a", url: "http://a", external: false, subdomain: false },
    ],
    [
      "a command on a subdomain",
      conflict("command"),
      { command: "a", subdomain: true, external: false, url: undefined },
    ],
    [
      "an external app for all",
      conflict("external"),
      { external: true, share: "public", command: undefined, subdomain: false },
    ],
    [
      "an external app with a check",
      conflict("external"),
      {
        external: true,
        share: undefined,
        command: undefined,
        subdomain: undefined,
        healthcheck: { url: "", interval: 1, threshold: 1 },
      },
    ],
  ],
  workspace_metadata: [
    [
      "two items of one key",
      invalid("items", 1, "key"),
      { items: [{ key: "a" }, { key: "a", value: "b" }] },
    ],
  ],
  workspace_script: [
    ["no trigger", missing("runOnStart"), { runOnStart: false, runOnStop: undefined, cron: "" }],
    [
      "a login that waits for nothing",
      needs("startBlocksLogin"),
      { startBlocksLogin: true, runOnStart: false, runOnStop: true },
    ],
  ],
  workspace_secret: [
    ["env and file", conflict("file"), { env: "A", file: "/a" }],
    ["neither env nor file", conflict("env"), { env: undefined, file: undefined }],
  ],
  workspace_workspace_preset: [
    [
      "schedules that overlap",
      invalid("prebuilds", "scheduling", "schedules", 1, "cron"),
      {
        prebuilds: {
          instances: 0,
          scheduling: {
            timezone: "UTC",
            schedules: ["* 1-5 * * *", "* 5 * * MON"].map((cron) => ({ cron, instances: 1 })),
          },
        },
      },
    ],
  ],
  workspace_parameter: parameterClashes(),
};

function parameterClashes(): readonly Clash[] {
  const bare = { formType: undefined, options: [], validation: undefined, ephemeral: false };
  const text = { ...bare, type: "string", default: "a" };
  const number = { ...bare, type: "number", default: "1" };
  const one = (value: string, name = value) => ({ name, value });
  return [
    ["a slider for a string", invalid("formType"), { ...text, formType: "slider" }],
    ["the form control error", invalid("formType"), { ...text, formType: "error" }],
    ["a default outside the options", invalid("default"), { ...text, options: [one("${b}")] }],
    [
      "options of one name",
      invalid("options", 1, "name"),
      { ...text, options: [one("a", "${x}"), one("b", "${x}")] },
    ],
    [
      "options of one value",
      invalid("options", 1, "value"),
      { ...text, options: [one("a"), one("a", "b")] },
    ],
    [
      "an option of another type",
      invalid("options", 0, "value"),
      { ...number, default: undefined, options: [one("a")] },
    ],
    ["an invalid number", invalid("default"), { ...number, default: "0x10" }],
    ["an invalid bool", invalid("default"), { ...bare, type: "bool", default: "yes" }],
    ["an invalid list", invalid("default"), { ...bare, type: "list(string)", default: "[1]" }],
    [
      "a least above the greatest",
      invalid("validation", "min"),
      { ...number, validation: { min: 2n ** 60n + 1n, max: 2n ** 60n } },
    ],
    ["a default below the minimum", invalid("default"), { ...number, validation: { min: 2 } }],
    [
      "a pattern without error",
      invalid("validation", "error"),
      { ...text, validation: { regex: "a" } },
    ],
    [
      "a default that does not match the regular expression",
      invalid("default"),
      { ...text, validation: { regex: "^\\$\\{", error: "x" } },
    ],
    [
      "a pattern for a number",
      invalid("validation", "regex"),
      { ...number, validation: { regex: "1", error: "x" } },
    ],
    ["a bound for a string", invalid("validation", "max"), { ...text, validation: { max: 1 } }],
    [
      "a direction for a string",
      invalid("validation", "monotonic"),
      { ...text, validation: { monotonic: "increasing" } },
    ],
    ["an ephemeral that stays", invalid("ephemeral"), { ...text, ephemeral: true, mutable: false }],
    [
      "an ephemeral without default",
      invalid("ephemeral"),
      { ...text, ephemeral: true, mutable: true, default: undefined },
    ],
  ];
}

export function clashesOf(type: string): readonly Breakage[] {
  return (clashes[type] ?? []).map(([name, found, changes]) => ({
    name: `${type}: ${name}`,
    found,
    apply: (all) =>
      Object.fromEntries(
        Object.entries({ ...all, ...changes }).filter(([, value]) => value !== undefined),
      ),
  }));
}

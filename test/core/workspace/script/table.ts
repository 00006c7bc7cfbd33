import { UNKNOWN } from "../../../../src/core/schema";
import type { AcceptanceRow, ChangeRow } from "../../../accept/table";
import { anyUuid, noBuild } from "../environment";
import type { Kinds, Noun } from "../../../accept/noun";
import { advice, invalid, missing, needs, rowsByKind, rowsOn } from "../../../accept/row";

const base = { agentId: "1", displayName: "Set up", script: "make", runOnStart: true };

const inputs: Kinds = {
  agentId: "string",
  displayName: "string",
  script: "string",
  icon: "string",
  logPath: "string",
  runOnStart: "bool",
  runOnStop: "bool",
  startBlocksLogin: "bool",
  cron: "string",
  timeout: "number",
};

const outputs: Kinds = { scriptId: "string" };

const { accepts, refuses, warns, build } = rowsOn(base);

const never = { runOnStart: undefined };

const triggers: readonly AcceptanceRow[] = [
  accepts("a script on stop", { ...never, runOnStop: true }),
  accepts("a script on a schedule", { ...never, cron: "0 0 22 * * *" }),
  refuses("no trigger", never, missing("runOnStart")),
  refuses(
    "triggers that are all false",
    { runOnStart: false, runOnStop: false },
    missing("runOnStart"),
  ),
  accepts("a trigger that is unknown", { ...never, runOnStop: UNKNOWN }),
  accepts("a login that waits for the start", { startBlocksLogin: true }),
  refuses(
    "a login that waits for a script that does not run on start",
    { ...never, runOnStop: true, startBlocksLogin: true },
    needs("startBlocksLogin"),
  ),
  accepts("a login that does not wait for a script on stop", {
    ...never,
    runOnStop: true,
    startBlocksLogin: false,
  }),
  accepts("a login that waits for a script that may run on start", {
    runOnStart: UNKNOWN,
    startBlocksLogin: true,
  }),
];

/** Second, minute, hour, day of the month, month and, optionally, weekday. */
const cron: readonly AcceptanceRow[] = [
  ...[
    "0 0 22 * * *",
    "*/5 0 22 * * MON-FRI",
    "0 30 8 1,15 JAN-JUN ?",
    "30 5 4 ? * sun",
    "@hourly",
    "@daily",
    "@every 5m",
    "TZ=Europe/Berlin 0 0 22 * * *",
    "CRON_TZ=UTC 0 0 22 * * *",
    "59 59 23 31 12",
  ].map((text) => accepts(`the cron ${text}`, { cron: text })),
  ...[
    "",
    "daily",
    "0 0 22 *",
    "0 0 22 * * * *",
    "60 0 0 * * *",
    "0 60 0 * * *",
    "0 0 24 * * *",
    "0 0 0 0 * *",
    "0 0 0 32 * *",
    "0 0 0 * 13 *",
    "0 0 0 * * 7",
    "0 0 0 L * *",
    "*/0 0 0 * * *",
    "0 0 9-5 * * *",
    "@reboot",
    "@every",
    "@every soon",
    "TZ=Mars/Olympus 0 0 22 * * *",
  ].map((text) => refuses(`the cron ${JSON.stringify(text)}`, { cron: text }, invalid("cron"))),
  warns("a cron that is a line of a crontab", { cron: "0 22 * * 1" }, advice("cron")),
  warns("a cron of five stars", { cron: "* * * * *" }, advice("cron")),
];

const plain: readonly AcceptanceRow[] = [
  accepts("empty strings", { agentId: "", displayName: "", script: "" }),
  accepts("a timeout of 0, which means no limit", { timeout: 0 }),
  accepts("a timeout", { timeout: 60 }),
  refuses("a negative timeout", { timeout: -1 }, invalid("timeout")),
  accepts("a relative logPath", { logPath: "setup.log" }),
  accepts("an icon", { icon: "/icon/script.svg" }),
  refuses("an icon with a bad escape", { icon: "/i%.svg" }, invalid("icon")),
];

const changes: readonly ChangeRow[] = [
  { input: "agentId", from: "1", to: "2", replaces: true },
  { input: "displayName", from: "a", to: "b", replaces: false },
  { input: "script", from: "a", to: "b", replaces: false },
  { input: "icon", from: "/a", to: "/b", replaces: false },
  { input: "logPath", from: "a", to: undefined, replaces: false },
  { input: "runOnStop", from: false, to: true, replaces: false },
  { input: "startBlocksLogin", from: undefined, to: true, replaces: false },
  { input: "cron", from: "@daily", to: "@hourly", replaces: false },
  { input: "timeout", from: undefined, to: 0, replaces: false },
  { input: "timeout", from: 1, to: 2, replaces: false },
];

/** The script resource, which the spec names and the facts describe. */
export const script: Noun = {
  kind: "resource",
  typeName: "workspace_script",
  construct: "workspace.Script",
  base,
  inputs,
  outputs,
  wire: { scriptId: "id" },
  rows: [
    ...triggers,
    ...cron,
    ...plain,
    ...rowsByKind({
      base,
      inputs,
      outputs,
      required: ["agentId", "displayName", "script"],
    }),
  ],
  builds: [
    build("fills in the defaults and creates an id", {}, noBuild, {
      outputs: {
        scriptId: anyUuid,
        runOnStop: false,
        startBlocksLogin: false,
        timeout: 0,
        cron: null,
      },
    }),
  ],
  changes,
};

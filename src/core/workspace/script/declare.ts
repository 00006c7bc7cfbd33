import {
  advise,
  atLeastOneOf,
  computed,
  optional,
  required,
  optionalComputed,
  resource,
  t,
  parseDuration,
  problemRule,
  type ResourceRule,
} from "../../schema";
import { cronFields, parseCronField, type CronFieldKind } from "../grammar/cron-field";
import { isTimeZone } from "../grammar/time-zone";
import { urlRule } from "../grammar/url-syntax";
import { agentId, between } from "../grammar/value-rules";

const { second, minute, hour, dayOfMonth, month, weekday } = cronFields;

const secondsFirst = [second, minute, hour, dayOfMonth, month, weekday];

/** Crontabs also accept 7 for Sunday. */
const unixOrder = [minute, hour, dayOfMonth, month, { ...weekday, max: 7 }];

const descriptors: ReadonlySet<string> = new Set(
  ["yearly", "annually", "monthly", "weekly", "daily", "midnight", "hourly"].map((it) => `@${it}`),
);

const zonePrefix = /^(?:CRON_)?TZ=([^ ]*) /;

/**
 * The schedule of a script: second, minute, hour, day of the month, month and, optionally, weekday; or a
 * descriptor such as `@hourly`, or `@every` and a duration. A prefix `TZ=` may set the time zone.
 */
export const scriptCronRule = problemRule(
  "must be a cron expression that starts with seconds: five or six fields (second, minute, hour, day of the month, month, weekday), or a descriptor such as `@hourly` or `@every 5m`",
  cronProblem,
);

/**
 * Checks whether a cron expression of five fields is also a valid crontab line (minute, hour, day of the
 * month, month, weekday). Its author may not know that the first field of a script's cron is seconds.
 */
export function isCrontabLine(text: string): boolean {
  const fields = fieldsOf(text.replace(zonePrefix, ""));
  return fields.length === unixOrder.length && wrongField(fields, unixOrder) === undefined;
}

function cronProblem(text: string): string | undefined {
  const zone = zonePrefix.exec(text);
  if (zone?.[1] !== undefined && !isTimeZone(zone[1])) {
    return "must have an IANA time zone with the correct case in its TZ= prefix";
  }
  const rest = zone === null ? text : text.slice(zone[0].length).trim();
  if (rest.startsWith("@")) return descriptorProblem(rest);
  const fields = fieldsOf(rest);
  if (fields.length !== 5 && fields.length !== 6) {
    return `must have five or six fields, starting with seconds, not ${fields.length}`;
  }
  const wrong = wrongField(fields, secondsFirst);
  if (wrong === undefined) return undefined;
  const name = ["second", "minute", "hour", "day of the month", "month", "weekday"][wrong.index];
  return `must be a cron expression that starts with seconds: ${wrong.text} is not a valid ${name ?? "field"}`;
}

function descriptorProblem(text: string): string | undefined {
  const [, every] = /^@every (.*)$/s.exec(text) ?? [];
  if (every !== undefined) {
    return isInterval(every) ? undefined : "must have a duration such as 1h30m after @every";
  }
  if (descriptors.has(text)) return undefined;
  return `must be one of ${[...descriptors].join(", ")} or @every if it begins with @`;
}

/** Checks that an interval fits into 64 bits of nanoseconds, about 292 years. */
function isInterval(text: string): boolean {
  const ms = parseDuration(text);
  return ms !== undefined && ms * 1e6 < 2 ** 63;
}

const fieldsOf = (text: string): readonly string[] => text.split(/\s+/).filter((it) => it !== "");

function wrongField(
  fields: readonly string[],
  kinds: readonly CronFieldKind[],
): { readonly index: number; readonly text: string } | undefined {
  for (const [index, kind] of kinds.entries()) {
    const text = fields[index];
    if (text !== undefined && parseCronField(text, kind) === undefined) return { index, text };
  }
  return undefined;
}

const loginWaitsForAStart: ResourceRule<"startBlocksLogin" | "runOnStart"> = {
  code: "REQUIRES",
  severity: "error",
  inputs: ["startBlocksLogin", "runOnStart"],
  doc: (label) => `\`${label("startBlocksLogin")}\` needs \`${label("runOnStart")}\``,
  broken: ({ startBlocksLogin, runOnStart }, label) =>
    startBlocksLogin === true && runOnStart !== true
      ? {
          name: "startBlocksLogin",
          message: `needs \`${label("runOnStart")}\`: without it, the script does not run at start`,
        }
      : undefined,
};

/** A script that an agent runs. */
export const script = resource("workspace_script", {
  doc: "A script that the agent runs when the workspace starts, before it stops, or at intervals.",
  attributes: {
    agentId,
    displayName: required(t.string(), { doc: "Name that users see." }),
    script: required(t.string(), { doc: "Content of the script." }),
    icon: optional(t.string(urlRule), {
      doc: "URL of an icon. The built-in icons are under `/icon/`.",
    }),
    logPath: optional(t.string(), {
      doc: "Path of the log file in the workspace. A relative path is resolved against the temporary folder. By default, the platform's.",
    }),
    runOnStart: optionalComputed(t.bool(), {
      doc: "Whether the script runs when the workspace starts.",
      default: false,
    }),
    runOnStop: optionalComputed(t.bool(), {
      doc: "Whether the script runs before the workspace stops.",
      default: false,
    }),
    startBlocksLogin: optionalComputed(t.bool(), {
      doc: "Whether users can log in only after the script has ended.",
      default: false,
    }),
    cron: optional(t.string(scriptCronRule), {
      doc:
        "When the script runs: second, minute, hour, day of the month, month and, optionally, weekday; " +
        "or a descriptor such as `@hourly` or `@every 5m`. By default, the script does not run on a schedule.",
    }),
    timeout: optionalComputed(t.integer(between(0)), {
      doc: "Maximum duration of one run, in seconds; 0 means no limit.",
      default: 0,
    }),
    scriptId: computed(t.string(), {
      doc: "ID of the script.",
      wire: "id",
      useStateForUnknown: true,
    }),
  },
  rules: [
    atLeastOneOf("runOnStart", "runOnStop", "cron"),
    loginWaitsForAStart,
    advise({
      code: "script-cron-seconds",
      name: "cron",
      doc: "has five fields like a crontab line, but the first field is the second, not the minute",
      when: ({ cron }) => typeof cron === "string" && isCrontabLine(cron),
    }),
  ],
});

import {
  block,
  computed,
  dataSource,
  optional,
  required,
  optionalComputed,
  t,
  problemRule,
  rule,
  type Breach,
  type ResourceRule,
} from "../../schema";
import { maxBytes, nonBlankRule, between } from "../grammar/value-rules";
import { cronFields, parseCronField } from "../grammar/cron-field";
import { timeZoneRule } from "../grammar/time-zone";
import { urlProblem } from "../grammar/url-syntax";

const ttl = "must be 0, or from 3600 to 31536000 (an hour to a year)";

const ttlRule = rule(ttl, (z) =>
  z.unknown().check(({ value, issues }) => {
    const seconds = Number(value);
    if (seconds !== 0 && !(seconds >= 3600 && seconds <= 31_536_000)) {
      issues.push({ code: "custom", input: value, message: ttl });
    }
  }),
);

const iconBytes = 256;
const short = `must be at most ${iconBytes} bytes long in UTF-8`;

const iconRule = problemRule(["must be a URL", short], (text) =>
  Buffer.byteLength(text) > iconBytes ? short : urlProblem(text),
);

interface Schedule {
  /** 1 to 12. */
  readonly months: ReadonlySet<number>;
  /** Days of the month, 1 to 31. */
  readonly days: ReadonlySet<number>;
  /** True if any day of the month matches: `*` or `?`. */
  readonly anyDay: boolean;
  /** 0 to 23. */
  readonly hours: ReadonlySet<number>;
  /** 0 (Sunday) to 6. */
  readonly weekdays: ReadonlySet<number>;
  /** True if any weekday matches: `*` or `?`. */
  readonly anyWeekday: boolean;
}

const mustBeSchedule =
  "must be a cron expression of five fields (minute, hour, day of the month, month, weekday) whose minute is `*`";

/** When a number of prebuilt workspaces applies, in whole hours: the minute must be `*`. */
export const scheduleCronRule = problemRule(mustBeSchedule, (text) =>
  parseSchedule(text) === undefined ? mustBeSchedule.replaceAll("`", "") : undefined,
);

/** Parses a cron expression that {@link scheduleCronRule} accepts; undefined if it is invalid. */
export function parseSchedule(text: string): Schedule | undefined {
  const fields = text.split(/\s+/).filter((field) => field !== "");
  const [minute, hour, dayOfMonth, month, weekday] = fields;
  if (fields.length !== 5 || minute !== "*") return undefined;
  const hours = parseCronField(hour ?? "", cronFields.hour);
  const days = parseCronField(dayOfMonth ?? "", cronFields.dayOfMonth);
  const months = parseCronField(month ?? "", cronFields.month);
  const weekdays = parseCronField(weekday ?? "", cronFields.weekday);
  if (!hours || !days || !months || !weekdays) return undefined;
  return {
    months: months.values,
    days: days.values,
    anyDay: days.star,
    hours: hours.values,
    weekdays: weekdays.values,
    anyWeekday: weekdays.star,
  };
}

/**
 * Checks whether two schedules of one preset can apply at the same time: they share a month, an hour and a
 * day.
 *
 * Days are compared as the platform does. If either schedule allows any day of the month, only weekdays are
 * compared. Otherwise, if either allows any weekday, only days of the month are compared. Otherwise one
 * shared day of either kind is enough. So `1 * MON` and `2 * *` do not overlap even if the 2nd is a Monday.
 */
export function schedulesOverlap(a: Schedule, b: Schedule): boolean {
  return intersect(a.months, b.months) && shareDay(a, b) && intersect(a.hours, b.hours);
}

function shareDay(a: Schedule, b: Schedule): boolean {
  if (a.anyDay || b.anyDay) return intersect(a.weekdays, b.weekdays);
  if (a.anyWeekday || b.anyWeekday) return intersect(a.days, b.days);
  return intersect(a.days, b.days) || intersect(a.weekdays, b.weekdays);
}

function intersect(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
  for (const value of a) if (b.has(value)) return true;
  return false;
}

/** Forbids overlapping schedules of a preset. */
const schedulesApart: ResourceRule<"schedules"> = {
  code: "INVALID_ARGUMENT",
  severity: "error",
  inputs: ["schedules"],
  doc: (label) => `\`${label("schedules")}\` must not overlap`,
  broken: ({ schedules }) => {
    if (!Array.isArray(schedules)) return undefined;
    const known: { readonly index: number; readonly cron: string; readonly schedule: Schedule }[] =
      [];
    const breaches: Breach<"schedules">[] = [];
    schedules.forEach((each: unknown, index) => {
      const cron = cronOf(each);
      const schedule = cron === undefined ? undefined : parseSchedule(cron);
      if (cron === undefined || schedule === undefined) return;
      const other = known.find((before) => schedulesOverlap(before.schedule, schedule));
      if (other !== undefined) {
        breaches.push({
          name: "schedules",
          path: [index, "cron"],
          message: `must not overlap with element ${other.index}, ${JSON.stringify(other.cron)} (got ${JSON.stringify(cron)})`,
        });
      }
      known.push({ index, cron, schedule });
    });
    return breaches;
  },
};

function cronOf(element: unknown): string | undefined {
  if (typeof element !== "object" || element === null || !("cron" in element)) return undefined;
  return typeof element.cron === "string" ? element.cron : undefined;
}

export const workspacePreset = dataSource("workspace_workspace_preset", {
  doc: "A named set of parameter values that users can choose, with optional prebuilt workspaces.",
  attributes: {
    name: required(t.string(nonBlankRule), { doc: "Name of the preset, which identifies it." }),
    description: optional(t.string(maxBytes(128)), { doc: "Description of the preset." }),
    icon: optional(t.string(iconRule), {
      doc: "URL of an icon. The built-in icons are under `/icon/`.",
    }),
    default: optionalComputed(t.bool(), {
      doc: "Whether the preset is preselected. At most one preset of a template can be.",
      default: false,
    }),
    parameters: optional(t.map(t.string()), {
      doc:
        "Values by parameter name. Users choose the values of all other parameters. The template need not have " +
        "a parameter of that name.",
    }),
    id: computed(t.string(), { doc: "ID of the preset: its name." }),
  },
  blocks: {
    prebuilds: block.set(
      {
        attributes: {
          instances: required(t.integer(between(0)), {
            doc: "Number of prebuilt workspaces, outside of schedules.",
          }),
        },
        blocks: {
          expirationPolicy: block.set(
            {
              attributes: {
                ttl: required(t.integer(ttlRule), {
                  doc: "Seconds after which an unclaimed prebuild is replaced; 0 means never.",
                }),
              },
            },
            { doc: "When prebuilt workspaces expire.", max: 1 },
          ),
          scheduling: block.list(
            {
              attributes: {
                timezone: required(t.string(timeZoneRule), {
                  doc: "Time zone of the schedules: an IANA name such as `Europe/Berlin`, or `UTC`.",
                }),
              },
              blocks: {
                schedules: block.list(
                  {
                    attributes: {
                      cron: required(t.string(scheduleCronRule), {
                        doc:
                          "When the schedule applies: five fields as in a crontab. The first field (the " +
                          "minute) must be `*`.",
                      }),
                      instances: required(t.integer(between(0)), {
                        doc: "Number of prebuilt workspaces while the schedule applies.",
                      }),
                    },
                  },
                  {
                    doc: "A number of workspaces for certain times. Schedules must not overlap.",
                    wire: "schedule",
                    min: 1,
                  },
                ),
              },
              rules: [schedulesApart],
            },
            { doc: "Schedules that change the number of prebuilt workspaces.", max: 1 },
          ),
        },
      },
      { doc: "Prebuilt workspaces for users who choose the preset.", max: 1 },
    ),
  },
});

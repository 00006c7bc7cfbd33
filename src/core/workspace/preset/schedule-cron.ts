import { problemRule, type Breach, type ResourceRule } from "../../schema";
import { cronFields, parseCronField } from "../grammar/cron-field";

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

const must =
  "must be a cron expression of five fields (minute, hour, day of the month, month, weekday) whose minute is `*`";

/** When a number of prebuilt workspaces applies, in whole hours: the minute must be `*`. */
export const scheduleCronRule = problemRule(must, (text) =>
  parseSchedule(text) === undefined ? must.replaceAll("`", "") : undefined,
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
export const schedulesApart: ResourceRule<"schedules"> = {
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

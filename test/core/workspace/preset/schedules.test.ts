import fc from "fast-check";
import {
  parseSchedule,
  scheduleCronRule,
  schedulesOverlap,
} from "../../../../src/core/workspace/preset/declare";
import { findings } from "../grammar/findings";

test.each([
  "* * * * *",
  "* 8-18 * * 1-5",
  "* 8-18 1,15 JAN-mar MON",
  "* */2 ? * ?",
  " *  8\t* * * ",
])("accepts %j", (text) => {
  expect(findings(scheduleCronRule, text)).toEqual([]);
});

test.each([
  "",
  "* * * *",
  "* * * * * *",
  "0 8 * * *",
  "*/1 8 * * *",
  "? 8 * * *",
  "* 24 * * *",
  "* 18-8 * * *",
  "* * 0 * *",
  "* * * 13 *",
  "* * * * 7",
  "* * * * L",
  "@daily",
  "TZ=UTC * * * * *",
])("refuses %j", (text) => {
  expect(findings(scheduleCronRule, text)).toEqual([
    "must be a cron expression of five fields (minute, hour, day of the month, month, weekday) whose minute is *",
  ]);
});

test("reads the sets of a schedule", () => {
  expect(parseSchedule("* */6 1 JAN-mar ?")).toEqual({
    months: new Set([1, 2, 3]),
    days: new Set([1]),
    anyDay: false,
    hours: new Set([0, 6, 12, 18]),
    weekdays: new Set([0, 1, 2, 3, 4, 5, 6]),
    anyWeekday: true,
  });
});

const overlap = (a: string, b: string): boolean | undefined => {
  const [one, other] = [parseSchedule(a), parseSchedule(b)];
  return one && other && schedulesOverlap(one, other);
};

test.each([
  // hours
  ["* 8-18 * * *", "* 18-20 * * *", true],
  ["* 8-17 * * *", "* 18-20 * * *", false],
  ["* */2 * * *", "* 1-23/2 * * *", false],
  ["* */2 * * *", "* 4 * * *", true],
  // months
  ["* * * 1-3 *", "* * * 4 *", false],
  ["* * * JAN *", "* * * 1 *", true],
  ["* * * JAN-MAR *", "* * * APR *", false],
  // weekdays decide if any day of the month is allowed
  ["* * * * 1-5", "* * * * 6,0", false],
  ["* * * * MON-FRI", "* * * * 5", true],
  ["* * * * MON", "* * 15 * TUE", false],
  ["* * ? * MON", "* * 15 * TUE", false],
  ["* * * * MON", "* * 15 * *", true],
  // days of the month decide if any weekday is allowed
  ["* * 1-10 * *", "* * 11-20 * *", false],
  ["* * 1-10 * *", "* * 10 * MON", true],
  ["* * 1 * MON", "* * 2 * *", false],
  ["* * 1 * MON", "* * 2 * ?", false],
  // otherwise either is enough
  ["* * 1 * MON", "* * 2 * MON", true],
  ["* * 1 * MON", "* * 1 * TUE", true],
  ["* * 1 * MON", "* * 2 * TUE", false],
  // every second day is not any day
  ["* * */2 * MON", "* * 2 * TUE", false],
  ["* * */2 * MON", "* * 3 * TUE", true],
  // all of them
  ["* 8 1 1 1", "* 8 1 2 1", false],
  ["* 8 1 1 1", "* 9 1 1 1", false],
  ["* * * * *", "* 3 3 3 3", true],
])("%j and %j overlap: %j", (a, b, expected) => {
  expect(overlap(a, b)).toBe(expected);
  expect(overlap(b, a)).toBe(expected);
});

const field = (min: number, max: number) =>
  fc.oneof(
    fc.constantFrom("*", "?"),
    fc.uniqueArray(fc.integer({ min, max }), { minLength: 1 }).map((list) => list.join()),
  );
const cron = fc
  .tuple(field(0, 23), field(1, 31), field(1, 12), field(0, 6))
  .map((fields) => `* ${fields.join(" ")}`);

test("a schedule overlaps itself and every hour, and overlapping has no order", () => {
  fc.assert(
    fc.property(cron, cron, (a, b) => {
      expect(overlap(a, a)).toBe(true);
      expect(overlap(a, "* * * * *")).toBe(true);
      expect(overlap(a, b)).toBe(overlap(b, a));
    }),
  );
});

test("schedules that allow any weekday overlap exactly when they share an hour of a date", () => {
  const byDate = fc
    .tuple(field(0, 23), fc.integer({ min: 1, max: 31 }), field(1, 12))
    .map(([hour, day, month]) => `* ${hour} ${day} ${month} *`);
  const hoursOf = (text: string): ReadonlySet<string> => {
    const schedule = parseSchedule(text);
    const hours = new Set<string>();
    for (const month of schedule?.months ?? []) {
      for (const day of schedule?.days ?? []) {
        for (const hour of schedule?.hours ?? []) hours.add(`${month} ${day} ${hour}`);
      }
    }
    return hours;
  };
  fc.assert(
    fc.property(byDate, byDate, (a, b) => {
      const others = hoursOf(b);
      expect(overlap(a, b)).toBe([...hoursOf(a)].some((hour) => others.has(hour)));
    }),
  );
});
